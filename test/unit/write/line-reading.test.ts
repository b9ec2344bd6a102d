import { describe, expect, it } from 'vitest'
import { LineSplitter } from '../../../src/write/record-reader.ts'
import { createWrittenGraph, putNode } from './written-graph.ts'

const nodeLine = (id: number, name: string) =>
  JSON.stringify({ node: { id: `${id}`, type: 'photo', fields: { name } } })
const encode = (text: string) => new TextEncoder().encode(text)

/** Loads a source and skips invalid records. Returns the stored names and the errors. */
const loadNames = async (source: Parameters<ReturnType<typeof createWrittenGraph>['load']>[0]) => {
  const { load, store } = createWrittenGraph()
  const errors: unknown[] = []
  await load(source, {
    onError: ({ data: { line, expected } }) => {
      errors.push([line, expected])
      return 'skip'
    },
  })
  return { names: [...store.dump()].map(line => JSON.parse(line).node.fields.name), errors }
}

describe('a line of a load', () => {
  it('may be as long as a record that can be written, such as one of three million characters', async () => {
    const { write, store } = createWrittenGraph()
    const name = 'x'.repeat(3_000_000)
    await write([putNode('1', 'photo', { name })])
    const dump = [...store.dump()]
    expect(await loadNames(dump)).toEqual({ names: [name], errors: [] })
    expect(await loadNames(dump.join('').match(/.{1,65536}|\n/g) ?? [])).toEqual({
      names: [name],
      errors: [],
    })
  })

  /** Splits pieces into lines of at most ten characters. Returns a longer line as its error describes it. */
  const split = (...pieces: readonly string[]): readonly string[] => {
    const splitter = new LineSplitter(10)
    const lines = pieces.flatMap(piece => [...splitter.split(piece)])
    return [...lines, splitter.finish()].map(line =>
      typeof line === 'string' ? line : `too long: ${line.received}`,
    )
  }

  it('may have as many characters as the limit if it arrives in several chunks', () => {
    expect(split('12345', '67890', '\nnext')).toEqual(['1234567890', 'next'])
  })

  it('is rejected if it exceeds the limit, and the next line is still read', () => {
    expect(split('12345', '67890', '1\nnext')).toEqual(['too long: "1234567890"', 'next'])
  })

  it('may have any length if it arrives in one chunk, which is already in memory', () => {
    expect(split('12345678901\nnext')).toEqual(['12345678901', 'next'])
  })

  it('is not kept in memory if it never ends', () => {
    const piece = 'x'.repeat(2 ** 20)
    const pieces = Array.from({ length: 2000 }, () => piece)
    expect(split(...pieces)).toEqual([expect.stringMatching(/^too long: "x{60}…"$/)])
  })
})

describe('bytes of a load that are not UTF-8', () => {
  const bad = [0x22, 0xff, 0x22]

  it('make only their own line invalid', async () => {
    const source = Uint8Array.from([
      ...encode(`${nodeLine(1, 'grüße')}\n`),
      ...bad,
      ...encode(`\n${nodeLine(2, '日本')}\n`),
    ])
    const expected = { names: ['grüße', '日本'], errors: [[2, 'well-formed Unicode']] }
    expect(await loadNames(source)).toEqual(expected)
    expect(await loadNames(Array.from(source, byte => Uint8Array.of(byte)))).toEqual(expected)
  })

  it.each([
    ['a character cut off at the end', encode('{"node":"ü').slice(0, -1)],
    ['a character cut off at the end of a line', [encode('{"node":"ü').slice(0, -1), encode('\n')]],
    ['a lone surrogate, as three bytes', Uint8Array.of(0xed, 0xa0, 0x80)],
    ['continuation bytes without a first byte', Uint8Array.of(0x80, 0x80, 0x80, 0x80)],
  ])('are rejected: %s', async (_, source) => {
    expect((await loadNames(source)).errors).toEqual([[1, 'well-formed Unicode']])
  })

  it('have another error than valid UTF-8 that is not JSON', async () => {
    expect((await loadNames(encode('日'))).errors).toEqual([[1, 'valid JSON']])
  })

  it('are not confused with the replacement character in valid UTF-8', async () => {
    expect(await loadNames(encode(nodeLine(1, '\ufffd')))).toEqual({ names: ['\ufffd'], errors: [] })
  })
})

describe('the text of a load', () => {
  it('may be divided into chunks within a pair of surrogates', async () => {
    const line = nodeLine(1, '😀')
    const middle = line.indexOf('😀') + 1
    expect((await loadNames([line.slice(0, middle), line.slice(middle)])).names).toEqual(['😀'])
  })

  it('cannot have a lone surrogate', async () => {
    const line = nodeLine(1, '😀').replace('😀', '\ud83d')
    expect((await loadNames(line)).errors).toEqual([[1, 'well-formed Unicode']])
  })
})
