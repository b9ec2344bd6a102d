import {
  createGraph,
  defineFieldType,
  defineSchema,
  field,
  type GraphOptions,
  node,
  type ReadEvent,
} from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const fragile = defineFieldType({
  name: 'fragile',
  expected: 'text',
  parse: (value: string) => (typeof value === 'string' ? value : undefined),
  serialize: stored => {
    if (stored === 'broken') throw new Error('hunter2')
    return stored
  },
})

class LoaderError extends RangeError {}

const only = (good: string, other: unknown) => (records: readonly { readonly id: string }[]) =>
  records.map(({ id }) => (id === '2' ? other : good))

const schema = defineSchema({
  item: node({
    fields: {
      missing: field.string({
        resolve: records => records.map(({ id }) => (id === '2' ? new Error(`no ${id}`) : id)),
      }),
      special: field.string({ resolve: records => records.map(() => new LoaderError('hunter2')) }),
      wrong: field.string(Object({ resolve: only('good', 5) })),
      nothing: field.string(Object({ resolve: only('good', null) })),
      lone: field.string(Object({ resolve: only('good', '\ud83d') })),
      list: field.list(field.string(), Object({ resolve: (records: []) => records.map(() => ['a', 5]) })),
      fragile: field.of(fragile, {
        resolve: records => records.map(({ id }) => (id === '2' ? 'broken' : 'good')),
      }),
      thrown: field.string({
        resolve: () => {
          throw new Error('hunter2')
        },
      }),
    },
  }),
})

const open = async (options: GraphOptions = {}) => {
  const events: ReadEvent[] = []
  const graph = createGraph(createMemoryStore(), {
    ...options,
    schema,
    onRead: event => void events.push(event),
  })
  await graph.write(['1', '2'].map(id => ({ op: 'putNode', node: { id, type: 'item', fields: {} } })))
  const session = graph.session({ viewer: '1', app: 'tests' })
  const get = (fields: string, more = {}): Promise<unknown> =>
    loosely(graph.getNodes, session, { ids: ['1', '2'], fields, ...more })
  const badValues = () => events.flatMap(event => (event.kind === 'query' ? event.badValues : []))
  return { graph, get, badValues }
}

describe('a resolve that returns an Error in the place of a value', () => {
  it('leaves out the field of that record, and reports it', async () => {
    const { get, badValues } = await open()
    const message = 'Field missing of item is left out: its value is not valid'
    expect(await get('missing', { debug: 'all' })).toEqual({
      1: { missing: '1', id: '1' },
      2: { id: '2' },
      __debug__: { messages: [{ message, type: 'warning' }] },
    })
    expect(badValues()).toEqual([{ type: 'item', field: 'missing', count: 1 }])
  })

  it('may return one of a class of its own, and shows nothing of it', async () => {
    const { graph, badValues } = await open()
    const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
    const { answer } = createHandler(graph)
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await answer({ method: 'GET', url: '/?ids=1,2&fields=special', headers })
    expect(body).toBe('{"1":{"id":"1"},"2":{"id":"2"}}')
    expect(badValues()).toEqual([{ type: 'item', field: 'special', count: 2 }])
  })

  it("does so with checkValues: 'off', too: that is trust in the store", async () => {
    const { get, badValues } = await open({ checkValues: 'off' })
    expect(await get('missing,wrong')).toEqual({
      1: { missing: '1', wrong: 'good', id: '1' },
      2: { id: '2' },
    })
    expect(badValues().map(({ field }) => field)).toEqual(['missing', 'wrong'])
  })

  it("fails the call with checkValues: 'error', and is the cause", async () => {
    const { get } = await open({ checkValues: 'error' })
    const fault = await faultOf(get('special'))
    expect(fault.data.reason).toBe('internal')
    expect(fault.cause).toBeInstanceOf(LoaderError)
    expect(JSON.stringify(fault)).not.toContain('hunter2')
  })
})

describe('a bad value that a resolve returns', () => {
  it.each(['wrong', 'nothing', 'lone', 'fragile'])(
    'is left out of its record and reported: %s',
    async name => {
      const { get, badValues } = await open()
      expect(await get(name)).toEqual({ 1: { [name]: 'good', id: '1' }, 2: { id: '2' } })
      expect(badValues()).toEqual([{ type: 'item', field: name, count: 1 }])
    },
  )

  it('is left out as a whole if one part of it is bad', async () => {
    const { get, badValues } = await open()
    expect(await get('list')).toEqual({ 1: { id: '1' }, 2: { id: '2' } })
    expect(badValues()).toEqual([{ type: 'item', field: 'list', count: 2 }])
  })
})

describe('a resolve that throws', () => {
  it('fails the call', async () => {
    const { get, badValues } = await open()
    expect((await faultOf(get('thrown'))).data.reason).toBe('internal')
    expect(badValues()).toEqual([])
  })
})
