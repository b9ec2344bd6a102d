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

/** A type that throws for values other than strings, because its `parse` expects a string. */
const amount = defineFieldType({
  name: 'amount',
  expected: 'an amount as "12.50 EUR"',
  parse: (value: string) => (value.split(' ').length === 2 ? value : undefined),
  serialize: value => value,
})

const keepWarnings: Json = { hits: 1, inside: { list: [1] } }

const schema = defineSchema({
  thing: node({
    fields: {
      price: field.of(amount),
      stored: field.of(json),
      computed: field.of(json, { resolve: records => records.map(() => keepWarnings) }),
    },
  }),
})

const createGraphOfOne = async () => {
  const graph = createGraph(createMemoryStore(), { schema })
  await graph.write([
    {
      op: 'putNode',
      node: { id: '1', type: 'thing', fields: { stored: { hits: 1, inside: { list: [1] } } } },
    },
  ])
  return { ...graph, token: graph.session({ viewer: '1', app: 'tests' }) }
}

describe('an error thrown by parse of a custom type', () => {
  const wrong = { op: 'putNode', node: { id: '2', type: 'thing', fields: { price: 5 } } } as const

  it('makes a write fail with the expected form and the received value', async () => {
    const { write } = await createGraphOfOne()
    await expect(Reflect.apply(write, undefined, [[wrong]])).rejects.toMatchObject({
      reason: 'invalid_mutation',
      data: {
        path: 'node.fields.price',
        expected: 'an amount as "12.50 EUR"',
        received: '5',
      },
    })
  })

  it('is reported with the number of its line in a load', async () => {
    const { load } = await createGraphOfOne()
    const seen: unknown[] = []
    const onError = (error: { data: object }) => {
      seen.push(error.data)
      return 'skip'
    }
    const good = { node: { id: '3', type: 'thing', fields: { price: '5 EUR' } } }
    await Reflect.apply(load, undefined, [[{ node: wrong.node }, good], { onError }])
    expect(seen).toMatchObject([{ line: 1, expected: 'an amount as "12.50 EUR"', received: '5' }])
  })
})

describe('a value of a custom type', () => {
  it.each(['stored', 'computed'] as const)(
    'can be changed by the caller without an effect on later results: %s',
    async name => {
      const { getMe, token } = await createGraphOfOne()
      const expected = { id: '1', [name]: { hits: 1, inside: { list: [1] } } }
      const result: { [field: string]: unknown } = await getMe(token, { fields: name })
      expect(result).toEqual(expected)
      const value = result[name] as { hits: number; inside: { list: number[] } }
      value.hits = 99
      value.inside.list.push(2)
      expect(await getMe(token, { fields: name })).toEqual(expected)
    },
  )

  it('contains the same Date object as the serialized value, since only plain objects are copied', () => {
    const time = new Date(0)
    const dated = defineFieldType({
      name: 'dated',
      expected: 'a number',
      parse: (value: number) => value,
      serialize: () => ({ time, list: [time] }),
    })
    const context = { now: 0, defaultPicture: undefined, parameters: {}, isStrict: true }
    const result = dated.serialize(0, context)
    expect(result?.time).toBe(time)
    expect(result?.list[0]).toBe(time)
  })

  it('keeps a member called __proto__', () => {
    const value: Json = JSON.parse('{"__proto__":{"a":1}}')
    const result = json.serialize(json.parse(value), {
      now: 0,
      defaultPicture: undefined,
      parameters: {},
      isStrict: true,
    })
    expect(JSON.stringify(result)).toBe('{"__proto__":{"a":1}}')
  })
})

describe('the words of an enum', () => {
  it('do not change if the array that declared them is changed later', () => {
    const words = ['a']
    const { type } = field.enum(words)
    words.push('b')
    expect(() => type.parse('b')).toThrow(expect.objectContaining({ expected: 'one of "a"' }))
    expect(type.parts).toEqual({ words: ['a'] })
  })
})
