import { createGraph, defineFieldType, defineSchema, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

type Json = { [name: string]: number | number[] | Json }

const json = defineFieldType({
  name: 'json',
  expected: 'an object',
  parse: (value: Json) => value,
  serialize: value => value,
})

/** Reads what it is given as text, as its parameter says, and throws on all else. */
const amount = defineFieldType({
  name: 'amount',
  expected: 'an amount as "12.50 EUR"',
  parse: (value: string) => (value.split(' ').length === 2 ? value : undefined),
  serialize: value => value,
})

const kept: Json = { hits: 1, inside: { list: [1] } }

const schema = defineSchema({
  thing: node({
    fields: {
      price: field.of(amount),
      stored: field.of(json),
      computed: field.of(json, { resolve: records => records.map(() => kept) }),
      converted: field.string({
        parameters: { to: field.of(amount) },
        resolve: (records, { parameters }) => records.map(() => `${parameters.to}`),
      }),
    },
  }),
})

const graphOfOne = async () => {
  const graph = createGraph(createMemoryStore(), { schema })
  await graph.write([
    {
      op: 'putNode',
      node: { id: '1', type: 'thing', fields: { stored: { hits: 1, inside: { list: [1] } } } },
    },
  ])
  return { ...graph, token: graph.session({ viewer: '1', app: 'tests' }) }
}

describe('what the parse of a custom type throws', () => {
  const wrong = { op: 'putNode', node: { id: '2', type: 'thing', fields: { price: 5 } } } as const

  it('refuses the value of a write, as undefined does', async () => {
    const { write } = await graphOfOne()
    await expect(Reflect.apply(write, undefined, [[wrong]])).rejects.toMatchObject({
      data: {
        reason: 'invalid_mutation',
        path: 'node.fields.price',
        expected: 'an amount as "12.50 EUR"',
        came: '5',
      },
    })
  })

  it('is asked of the line of a load', async () => {
    const { load } = await graphOfOne()
    const seen: unknown[] = []
    const onFault = (fault: { data: object }) => {
      seen.push(fault.data)
      return 'skip'
    }
    const good = { node: { id: '3', type: 'thing', fields: { price: '5 EUR' } } }
    await Reflect.apply(load, undefined, [[{ node: wrong.node }, good], { onFault }])
    expect(seen).toMatchObject([{ line: 1, expected: 'an amount as "12.50 EUR"', came: '5' }])
  })

  it('refuses a parameter', async () => {
    const { getMe, token } = await graphOfOne()
    await expect(getMe(token, { fields: 'converted.to(5)' })).rejects.toMatchObject({
      data: { reason: 'bad_parameter', parameter: 'to' },
    })
    expect(await getMe(token, { fields: 'converted.to("5 EUR")' })).toEqual({ converted: '5 EUR', id: '1' })
  })
})

describe('a value of a custom type', () => {
  it.each(['stored', 'computed'] as const)('is the own of whoever asked for it: %s', async name => {
    const { getMe, token } = await graphOfOne()
    const expected = { id: '1', [name]: { hits: 1, inside: { list: [1] } } }
    const answer: { [field: string]: unknown } = await getMe(token, { fields: name })
    expect(answer).toEqual(expected)
    const value = answer[name] as { hits: number; inside: { list: number[] } }
    value.hits = 99
    value.inside.list.push(2)
    expect(await getMe(token, { fields: name })).toEqual(expected)
  })

  it('is as its author made it where it is no plain object', () => {
    const time = new Date(0)
    const dated = defineFieldType({
      name: 'dated',
      expected: 'a number',
      parse: (value: number) => value,
      serialize: () => ({ time, list: [time] }),
    })
    const context = { now: 0, silhouette: undefined, parameters: {}, checked: true }
    const answer = dated.serialize(0, context)
    expect(answer?.time).toBe(time)
    expect(answer?.list[0]).toBe(time)
  })

  it('keeps a name such as __proto__', () => {
    const value: Json = JSON.parse('{"__proto__":{"a":1}}')
    const answer = json.serialize(json.parse(value), {
      now: 0,
      silhouette: undefined,
      parameters: {},
      checked: true,
    })
    expect(JSON.stringify(answer)).toBe('{"__proto__":{"a":1}}')
  })
})

describe('the words of an enum', () => {
  it('do not change with the list that they were given in', () => {
    const words = ['a']
    const { type } = field.enum(words)
    words.push('b')
    expect(() => type.parse('b')).toThrow(expect.objectContaining({ expected: 'one of a' }))
    expect(type.parts).toEqual({ words: ['a'] })
  })
})
