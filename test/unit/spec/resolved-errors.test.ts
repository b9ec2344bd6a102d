import {
  createGraph,
  defineFieldType,
  defineSchema,
  field,
  type GraphEvent,
  type GraphOptions,
  node,
} from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

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

const createResolver = (good: string, other: unknown) => (records: readonly { readonly id: string }[]) =>
  records.map(({ id }) => (id === '2' ? other : good))

const schema = defineSchema({
  item: node({
    fields: {
      missing: field.string({
        resolve: records => records.map(({ id }) => (id === '2' ? new Error(`no ${id}`) : id)),
      }),
      special: field.string({ resolve: records => records.map(() => new LoaderError('hunter2')) }),
      wrong: field.string(Object({ resolve: createResolver('good', 5) })),
      nothing: field.string(Object({ resolve: createResolver('good', null) })),
      lone: field.string(Object({ resolve: createResolver('good', '\ud83d') })),
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
  const events: GraphEvent[] = []
  const graph = createGraph(createMemoryStore(), {
    ...options,
    schema,
    onEvent: event => void events.push(event),
  })
  await graph.write(['1', '2'].map(id => ({ op: 'putNode', node: { id, type: 'item', fields: {} } })))
  const session = graph.session({ viewer: '1', app: 'tests' })
  const get = (fields: string, options = {}): Promise<unknown> =>
    callUntyped(graph.getNodes, session, { ids: ['1', '2'], fields, ...options })
  const badValues = () => events.flatMap(event => (event.kind === 'query' ? event.badValues : []))
  return { graph, get, badValues }
}

describe('a resolve function that returns an Error in place of a value', () => {
  it('leaves out the field of the record, and reports a bad value', async () => {
    const { get, badValues } = await open()
    const message = 'Field missing of item is left out: its value is not valid'
    expect(await get('missing', { debug: 'all' })).toEqual({
      1: { missing: '1', id: '1' },
      2: { id: '2' },
      __debug__: { messages: [{ message, type: 'warning' }] },
    })
    expect(badValues()).toEqual([{ type: 'item', field: 'missing', count: 1 }])
  })

  it('shows nothing of an Error of a custom class over HTTP', async () => {
    const { graph, badValues } = await open()
    const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
    const { respond } = createHandler(graph)
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await respond({ method: 'GET', url: '/?ids=1,2&fields=special', headers })
    expect(body).toBe('{"1":{"id":"1"},"2":{"id":"2"}}')
    expect(badValues()).toEqual([{ type: 'item', field: 'special', count: 2 }])
  })

  it("leaves out the field with checkValues: 'off' too", async () => {
    const { get, badValues } = await open({ checkValues: 'off' })
    expect(await get('missing,wrong')).toEqual({
      1: { missing: '1', wrong: 'good', id: '1' },
      2: { id: '2' },
    })
    expect(badValues().map(({ field }) => field)).toEqual(['missing', 'wrong'])
  })

  it("fails the call with checkValues: 'error', and the Error is the cause", async () => {
    const { get } = await open({ checkValues: 'error' })
    const error = await expectGraphError(get('special'))
    expect(error.reason).toBe('internal_error')
    expect(error.cause).toBeInstanceOf(LoaderError)
    expect(JSON.stringify(error)).not.toContain('hunter2')
  })
})

describe('a bad value that a resolve function returns', () => {
  it.each(['wrong', 'nothing', 'lone', 'fragile'])(
    'is left out of its record and reported: field %s',
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

describe('a resolve function that throws', () => {
  it('fails the call', async () => {
    const { get, badValues } = await open()
    expect((await expectGraphError(get('thrown'))).reason).toBe('internal_error')
    expect(badValues()).toEqual([])
  })
})
