import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGraphError } from '../../src/base/errors.ts'
import { parseBodyParameters } from '../../src/http/body-parameters.ts'
import { parseForm, parseQuery } from '../../src/http/form.ts'
import { ValueBudget } from '../../src/http/value-budget.ts'
import { propertySettings } from '../property/property-settings.ts'

const createValueBudget = () => new ValueBudget({ batch: 50 })

const parseRaw = (type: string, body: string | Uint8Array) =>
  parseBodyParameters(
    { method: 'POST', url: '/', headers: { 'content-type': type }, body },
    createValueBudget(),
  )

/** Returns the names and the texts of the parameters of a body. */
const parseEntries = (type: string, body: string | Uint8Array) =>
  parseRaw(type, body).parameters.map(([name, text]) => [name, text])

/** Returns the parameters of a body, or the reason of its error. */
const parseBody = (type: string, body: string | Uint8Array) => {
  try {
    return parseEntries(type, body)
  } catch (error) {
    return isGraphError(error) ? error.reason : expect.fail(String(error))
  }
}

const formText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%41', '%e4', '%C3%A4', '%EF%BB%BF', '%00', 'a', '?', 'ü', '\ufeff'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  ),
  maxLength: 60,
})

/**
 * Encodes characters that are not ASCII, because URLSearchParams of Node misreads them next to broken
 * escapes.
 */
const escaped = (text: string): string =>
  text.toWellFormed().replaceAll(/\P{ASCII}/gu, character => encodeURIComponent(character))

describe('a form', () => {
  it('is parsed from a body as URLSearchParams parses it', () => {
    fc.assert(
      fc.property(formText, text => {
        // The `&` keeps a leading question mark, which is part of a body and which URLSearchParams would
        // drop.
        const expected = [...new URLSearchParams(`&${escaped(text)}`)]
        expect(parseForm(text, createValueBudget())).toEqual(expected)
        expect(parseEntries('', new TextEncoder().encode(text))).toEqual([
          ...new URLSearchParams(`&${escaped(text.replace(/^\ufeff/, ''))}`),
        ])
      }),
      propertySettings(300),
    )
  })

  it('can contain bytes that are not valid UTF-8', () => {
    expect(parseEntries('', Uint8Array.of(0x61, 0xe4, 0x3d, 0xff, 0x25))).toEqual([['a\ufffd', '\ufffd%']])
  })

  it('is parsed from a short or long query string as URLSearchParams parses it', () => {
    fc.assert(
      fc.property(formText, fc.constantFrom('', `&${'x'.repeat(600)}`), (text, rest) => {
        const query = `a${escaped(text)}${rest}`
        expect([...parseQuery(query, createValueBudget())]).toEqual([...new URLSearchParams(query)])
      }),
      propertySettings(),
    )
  })
})

describe('a JSON body', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 })

  it('becomes one parameter per member, with its value and with the text that a query would have', () => {
    fc.assert(
      fc.property(object, fc.constantFrom('', ' ', '\t'), (value, space) => {
        const expected = Object.entries(JSON.parse(JSON.stringify(value))).map(([name, member]) => [
          name.toWellFormed(),
          typeof member === 'string' ? member.toWellFormed() : JSON.stringify(member),
          member,
        ])
        const { parameters } = parseRaw('application/json', JSON.stringify(value, undefined, space))
        expect(parameters).toEqual(expected)
      }),
      propertySettings(),
    )
  })

  it('is rejected if it is not JSON, or not an object', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"',
      '1',
      'null',
      ' ',
      '\\',
      'x',
      '"b":1',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), fc.boolean(), (tokens, isWrapped) => {
        const text = isWrapped ? `{"k":${tokens.join('')}}` : tokens.join('')
        let value: unknown
        try {
          value = JSON.parse(text)
        } catch {}
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
        fc.pre(text !== '')
        expect(Array.isArray(parseBody('application/json', text))).toBe(isObject)
      }),
      propertySettings(500),
    )
  })
})

describe('the error of a JSON body', () => {
  it.each([
    ['{"a":1,}', 'JSON with a syntax error'],
    ['{a:1}', 'JSON with a syntax error'],
    [' {"a":b}', 'JSON with a syntax error'],
    ['[{"a":1}]', 'a body that does not begin with "{"'],
    ['a=1', 'a body that does not begin with "{"'],
  ])('says why it is not an object: %s', (body, received) => {
    expect(() => parseRaw('application/json', body)).toThrow(
      `Invalid parameter "body": must be a JSON object; received ${received}`,
    )
  })
})

describe('a multipart form', () => {
  const type = 'multipart/form-data; boundary="b-1"'
  const text = fc.string({
    unit: fc.constantFrom('a', '-', '--', '\r\n', '\n', '\r', '"', 'ü', ' ', '--b', ':'),
  })

  it('is parsed to its fields, whatever text they contain', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 4 }), fields => {
        const parts = fields.map(([name, value]) => {
          const escaped = name.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\n', '%0D%0A')
          return `--b-1\r\nContent-Disposition: form-data; name="${escaped.replaceAll('"', '%22')}"\r\n\r\n${value}\r\n`
        })
        const body = `${parts.join('')}--b-1--\r\n`
        expect(parseEntries(type, body)).toEqual(
          fields.map(([name, value]) => [
            name.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\n', '\r\n'),
            value,
          ]),
        )
      }),
      propertySettings(),
    )
  })

  it('is parsed from the text that FormData writes, with the name of its first file', async () => {
    const form = new FormData()
    form.append('fields', 'id,name')
    form.append('a "b"\n', 'two\r\nlines ü')
    form.append('', '')
    form.append('file "1"', new Blob(['x']), 'x.txt')
    form.append('file 2', new Blob(['x']), 'x.txt')
    form.append('last', '1')
    const request = new Request('http://graph.test', { method: 'POST', body: form })
    const sent = request.headers.get('content-type') ?? ''
    const bytes = new Uint8Array(await request.arrayBuffer())
    expect(parseEntries(sent, bytes)).toEqual(
      [...form]
        .filter(([, value]) => typeof value === 'string')
        .map(([name, value]) => [name.replaceAll('\n', '\r\n'), value]),
    )
    expect(parseRaw(sent, bytes).fileName).toBe('file "1"')
  })

  it.each([
    ['has no boundary', 'multipart/form-data', '--b--'],
    ['has another boundary', type, '--c\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--c--'],
    ['is not ended', type, '--b-1\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
    ['has a part without headers', type, '--b-1\r\n1\r\n--b-1--'],
    ['has a part without a name', type, '--b-1\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b-1--'],
    ['has a part that is not form data', type, '--b-1\r\nContent-Type: text/plain\r\n\r\n1\r\n--b-1--'],
  ])('is rejected if it %s', (_, contentType, body) => {
    expect(parseBody(contentType, body)).toBe('invalid_parameter')
  })
})
