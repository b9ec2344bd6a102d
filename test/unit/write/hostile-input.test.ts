import { describe, expect, it } from 'vitest'
import { defineSchema } from '../../../src/schema/define-schema.ts'
import { field } from '../../../src/schema/field-builders.ts'
import { node } from '../../../src/schema/node.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { createWrittenGraph, put } from './written-graph.ts'

const parsed = (text: string): unknown => JSON.parse(text)

describe('what is no list of mutations', () => {
  it.each([
    [undefined, 'undefined'],
    [{ op: 'deleteNode', id: '1' }, 'an object with op, id'],
    ['[]', '"[]"'],
  ])('is a mistake of the program: %j', async (mutations, came) => {
    const { write } = createWrittenGraph()
    // @ts-expect-error the types rule it out
    await expect(write(mutations)).rejects.toThrow(
      new TypeError(`write: expected a list of mutations, came ${came}`),
    )
  })

  it('and so are options that nobody reads', async () => {
    const { write } = createWrittenGraph()
    // @ts-expect-error the types rule it out
    await expect(write([], { atomic: true })).rejects.toThrow(TypeError)
  })
})

describe('a mutation out of shape', () => {
  const anyObject = 'an object with op and what it is about'
  const fields = 'an object with values by name'
  const member = (...names: string[]) => `a member: ${names.join(', ')}`

  it.each([
    { bad: null, fault: { path: '', expected: anyObject, came: 'null' } },
    { bad: 'putNode', fault: { path: '', expected: anyObject, came: '"putNode"' } },
    { bad: [], fault: { path: '', expected: anyObject, came: 'a list of 0' } },
    { bad: new Map([['op', 'putNode']]), fault: { path: '', expected: anyObject } },
    { bad: {}, fault: { path: 'op', expected: expect.stringContaining('putNode'), came: 'undefined' } },
    {
      bad: { op: 'putNod' },
      fault: { path: 'op', expected: 'an operation such as putNode', came: '"putNod"' },
    },
    { bad: { op: 'putToken', digest: 'd', token: {} }, fault: { path: 'op', came: '"putToken"' } },
    { bad: { op: 'putNode' }, fault: { path: 'node', expected: 'an object with id, type, fields' } },
    { bad: { op: 'putEdge', edge: null }, fault: { path: 'edge', came: 'null' } },
    {
      bad: { op: 'deleteNode', id: '1', cascade: true },
      fault: { path: 'cascade', expected: member('op', 'id'), came: '"cascade"' },
    },
    {
      bad: { op: 'putNode', node: { id: '1', type: 'user', field: {} } },
      fault: { path: 'node.field', expected: 'a member such as fields', came: '"field"' },
    },
    {
      bad: { op: 'deleteEdge', edge: { source: '1', name: 'friends', target: '2', time: 7 } },
      fault: { path: 'edge.time', expected: expect.stringContaining('a member') },
    },
    { bad: put('1', 'photo', null as never), fault: { path: 'node.fields', expected: fields, came: 'null' } },
    { bad: put('1', 'photo', [] as never), fault: { path: 'node.fields', expected: fields } },
    { bad: put('1', 'photo', new Date(0) as never), fault: { path: 'node.fields', expected: fields } },
    { bad: put('1', 'photo', new Map() as never), fault: { path: 'node.fields', expected: fields } },
  ])('is data, and refused as such: %j', async ({ bad, fault }) => {
    const { write } = createWrittenGraph()
    const error = await faultOf(write([bad as never]))
    expect(error.data).toMatchObject({ reason: 'invalid_mutation', index: 0, ...fault })
  })

  it('may be a hole of the list', async () => {
    const { write } = createWrittenGraph()
    const mutations: never[] = []
    mutations.length = 1
    expect((await faultOf(write(mutations))).data).toMatchObject({ index: 0, came: 'undefined' })
  })
})

describe('names that objects inherit', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('are no fields: %s', async name => {
    const { write } = createWrittenGraph()
    const mutation = parsed(`{"op":"putNode","node":{"id":"1","type":"photo","fields":{"${name}":"x"}}}`)
    const error = await faultOf(write([mutation as never]))
    expect(error.data).toMatchObject({ path: `node.fields.${name}`, came: `"${name}"` })
  })

  it.each(['__proto__', 'constructor', 'toString'])(
    'are neither types, nor edges, nor operations: %s',
    async name => {
      const { write } = createWrittenGraph()
      await write([put('1', 'photo')])
      const edge = { source: '1', name, target: '1' }
      expect((await faultOf(write([put('2', name)]))).data).toMatchObject({ path: 'node.type' })
      expect((await faultOf(write([{ op: 'putEdge', edge }]))).data).toMatchObject({ path: 'edge.name' })
      expect((await faultOf(write([{ op: name } as never]))).data).toMatchObject({ path: 'op' })
    },
  )
})

describe('a fault', () => {
  it('stays small, whatever came', async () => {
    const huge = 'x'.repeat(1_000_000)
    const { write } = createWrittenGraph()
    for (const bad of [put(huge, 'photo'), put('1', huge), put('1', 'photo', { [huge]: 1, width: huge })]) {
      expect(JSON.stringify(await faultOf(write([bad]))).length).toBeLessThan(1000)
    }
  })

  it('is well-formed text, whatever came', async () => {
    const { write } = createWrittenGraph()
    const { message } = await faultOf(write([put('1', 'photo', { '\ud800': 1 })]))
    expect(message.isWellFormed()).toBe(true)
  })
})

describe('a getter', () => {
  it('is read once, so that what was checked is what is written', async () => {
    const { write, records } = createWrittenGraph()
    const reads: string[] = []
    const once = <T>(name: string, value: T): T => {
      reads.push(name)
      return value
    }
    await write([
      {
        get op() {
          return once('op', 'putNode' as const)
        },
        get node() {
          return once('node', {
            get id() {
              return once('id', '1')
            },
            get type() {
              return once('type', 'user')
            },
            get fields() {
              return once('fields', {
                get name() {
                  return once('name', 'Ada')
                },
              })
            },
          })
        },
      },
    ])
    expect(reads.toSorted()).toEqual(['fields', 'id', 'name', 'node', 'op', 'type'])
    expect(records()).toHaveLength(1)
  })
})

describe('what is written', () => {
  it('no longer belongs to the caller', async () => {
    const { write, records } = createWrittenGraph()
    const images = [{ source: '/1.jpg', width: 1, height: 1 }]
    await write([put('1', 'photo', { images })])
    images.length = 0
    expect(records()).toMatchObject([{ node: { fields: { images: [{ source: '/1.jpg' }] } } }])
  })

  it('may not be a computed value, which the schema makes itself', async () => {
    const schema = defineSchema({
      shop: node({
        fields: { stars: field.int({ resolve: (records: readonly unknown[]) => records.map(() => 5) }) },
      }),
    })
    const { write } = createWrittenGraph(schema)
    const error = await faultOf(write([put('1', 'shop', { stars: 4 })]))
    expect(error.data).toMatchObject({
      path: 'node.fields.stars',
      expected: 'left out, since it is computed',
    })
  })
})

describe('the signal of a write', () => {
  it('ends it before the store is asked', async () => {
    const { write, records } = createWrittenGraph()
    const error = await faultOf(write([put('1', 'photo')], { signal: AbortSignal.abort() }))
    expect(error.data.reason).toBe('aborted')
    expect(records()).toEqual([])
  })
})
