import {
  createGraph,
  defineSchema,
  edge,
  field,
  type Graph,
  isGraphError,
  type Mutation,
  node,
  type Store,
  type StoreMutation,
  type StoreWriteOptions,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const schema = defineSchema({
  user: node({
    fields: {
      name: field.string({ required: true }),
      born: field.datetime(),
      visits: field.int(),
      score: field.float(),
      tags: field.list(field.string()),
      initial: field.string({ resolve: records => records.map(() => 'A') }),
    },
    edges: {
      friends: edge('user', { symmetric: true, fields: { since: field.datetime() } }),
      groups: edge('group', { inverse: 'members', fields: { role: field.string() } }),
    },
  }),
  group: node({ edges: { members: edge('user', { inverse: 'groups', fields: { role: field.string() } }) } }),
})
type TestMutation = Mutation<typeof schema>

const ada: TestMutation = {
  op: 'putNode',
  node: { id: '1', type: 'user', fields: { name: 'Ada', born: '1815-12-10', visits: 1, tags: ['a', 'b'] } },
}
const grace: TestMutation = { op: 'putNode', node: { id: '2', type: 'user', fields: { name: 'Grace' } } }
const group: TestMutation = { op: 'putNode', node: { id: '3', type: 'group', fields: {} } }
const join: TestMutation = {
  op: 'putEdge',
  edge: { source: '1', name: 'groups', target: '3', data: { role: 'owner' } },
}

/** Creates a graph, and functions that write to it. */
const create = async (isShared = false) => {
  const options: StoreWriteOptions[] = []
  const memory = createMemoryStore()
  const store: Store = {
    ...memory,
    capabilities: { ...memory.capabilities, shared: isShared },
    write: (mutations, given) => {
      options.push(given)
      return memory.write(mutations, given)
    },
  }
  const graph = createGraph(store, { schema, now: () => Date.now() })
  await graph.write([ada, grace, group, join])
  const fieldsOf = (id: string) =>
    memory.read({ nodes: [id], ranges: [], checks: [], tokens: [] }).nodes[0]?.fields
  const put = (mutation: StoreMutation) => memory.write([mutation])
  return { graph, options, fieldsOf, put }
}

const errorOf = async (write: Promise<unknown>) => {
  const error: unknown = await write.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isGraphError(error)) throw error
  return error
}

const writeUntyped = (graph: Graph<typeof schema>, mutation: object) =>
  // The types reject these mutations.
  (graph.write as (mutations: readonly unknown[]) => Promise<unknown>)([mutation])

describe('a condition of a write', () => {
  const patch = { op: 'patchNode', id: '1', fields: { visits: 7 } } as const

  it.each([
    { exists: true },
    { fields: {} },
    { fields: { name: 'Ada', score: null } },
    { fields: { born: new Date('1815-12-10') } },
    { fields: { tags: ['a', 'b'] } },
  ] as const)('compares the given values as a write stores them: %j', async when => {
    const { graph, fieldsOf } = await create()
    await graph.write([{ ...patch, when }])
    expect(fieldsOf('1')?.visits).toBe(7)
  })

  it.each([
    [{ fields: { name: 'Eve' } }, 'when.fields.name'],
    [{ fields: { name: 'Ada', visits: null } }, 'when.fields.visits'],
    [{ fields: { tags: ['b', 'a'] } }, 'when.fields.tags'],
  ] as const)('that does not hold is a conflict: %j', async (when, path) => {
    const { graph, fieldsOf } = await create()
    const error = await errorOf(graph.write([grace, { ...patch, when }]))
    expect(error).toMatchObject({ reason: 'conflict', status: 409, data: { index: 1, path } })
    expect(fieldsOf('1')?.visits).toBe(1)
  })

  it('shows what was found only in the cause of its error', async () => {
    const { graph } = await create()
    const error = await errorOf(graph.write([{ ...patch, when: { fields: { name: 'Eve' } } }]))
    expect(error.cause).toEqual({ found: 'Ada' })
    expect(`${error.message}${JSON.stringify(error)}`).not.toMatch(/Ada|Eve/)
  })

  it.each<[TestMutation, string]>([
    [{ ...patch, id: '9', when: { exists: true } }, 'when.exists'],
    [{ ...patch, id: '9', when: { fields: { name: 'Ada' } } }, 'when.exists'],
    [{ op: 'deleteNode', id: '9', when: { exists: true } }, 'when.exists'],
    [{ op: 'deleteNode', id: '9', when: { fields: { name: 'Ada' } } }, 'when.exists'],
    [
      { op: 'deleteEdge', edge: { source: '9', name: 'groups', target: '3' }, when: { exists: true } },
      'when.exists',
    ],
    [
      { op: 'deleteEdge', edge: { source: '1', name: 'friends', target: '9' }, when: { fields: {} } },
      'when.exists',
    ],
    [
      { op: 'putNode', node: { id: '3', type: 'user', fields: { name: 'A' } }, when: { exists: false } },
      'when.exists',
    ],
  ])('on a missing record, or one that must be missing, is a conflict: %j', async (mutation, path) => {
    const { graph } = await create()
    expect((await errorOf(graph.write([mutation]))).data).toEqual({ index: 0, path })
  })

  it('has the index of its mutation, even if earlier ones have no effect', async () => {
    const { graph } = await create()
    const missing: TestMutation = { op: 'deleteEdge', edge: { source: '9', name: 'groups', target: '3' } }
    const second: TestMutation = { ...patch, when: { fields: { name: 'Eve' } } }
    expect((await errorOf(graph.write([missing, second]))).data).toMatchObject({ index: 1 })
  })

  it('throws the error of the store itself, so that its trace id is the same', async () => {
    const memory = createMemoryStore()
    let thrown: unknown
    const store: Store = {
      ...memory,
      write: (mutations, options) => {
        try {
          return memory.write(mutations, options)
        } catch (error) {
          thrown = error
          throw error
        }
      },
    }
    const graph = createGraph(store, { schema })
    await graph.write([ada])
    expect(await errorOf(graph.write([{ ...ada, when: { exists: false } }]))).toBe(thrown)
  })

  it('keeps the owner of a group who joins it again', async () => {
    const { graph } = await create()
    const joinAgain: TestMutation = { ...join, edge: { source: '1', name: 'groups', target: '3' } }
    await errorOf(graph.write([{ ...joinAgain, when: { exists: false } }]))
    const fromGroup = { source: '3', name: 'members', target: '1' } as const
    await errorOf(graph.write([{ op: 'putEdge', edge: fromGroup, when: { exists: false } }]))
    await graph.write([{ op: 'deleteEdge', edge: fromGroup, when: { fields: { role: 'owner' } } }])
  })

  it.each([
    [{ ...ada, when: { exists: true } }, 'when.exists'],
    [{ ...ada, when: { fields: {} } }, 'when'],
    [{ ...patch, when: { exists: false } }, 'when.exists'],
    [{ ...patch, when: { exists: true, fields: {} } }, 'when'],
    [{ ...patch, when: {} }, 'when'],
    [{ ...patch, when: null }, 'when'],
    [{ ...patch, when: { exist: true } }, 'when.exist'],
    [{ ...patch, when: { fields: { nam: 'Ada' } } }, 'when.fields.nam'],
    [{ ...patch, when: { fields: { visits: 'many' } } }, 'when.fields.visits'],
    [{ ...patch, when: { fields: { initial: 'A' } } }, 'when.fields.initial'],
    [{ ...patch, when: { fields: { name: undefined } } }, 'when.fields.name'],
    [{ ...patch, when: { fields: [] } }, 'when.fields'],
    [{ ...join, when: { fields: { rol: 'owner' } } }, 'when.fields.rol'],
  ])('of another form is rejected: %j', async (mutation, path) => {
    const { graph } = await create()
    expect(await errorOf(writeUntyped(graph, mutation))).toMatchObject({
      reason: 'invalid_mutation',
      data: { index: 0, path },
    })
  })
})

describe('a patch', () => {
  it.each<[object, string, string]>([
    [{ when: { exists: false }, fields: {} }, 'true for this operation', 'false'],
    [{}, 'an object that maps names of fields to values, unless there is an increment', 'undefined'],
    [{ increment: { name: 1 } }, 'a field of the type int or float (not string)', '"name"'],
    [{ increment: { visits: undefined } }, 'a number', 'undefined'],
    [{ increment: { visits: 1n } }, 'a number', 'the bigint 1'],
  ])('of another form has an error that says what to change: %o', async (members, expected, received) => {
    const { graph } = await create()
    const error = await errorOf(writeUntyped(graph, { op: 'patchNode', id: '1', ...members }))
    expect(error.data).toMatchObject({ expected, received })
  })
})

describe('an increment', () => {
  it('adds to int and float fields, without other fields', async () => {
    const { graph, fieldsOf } = await create()
    await graph.write([{ op: 'patchNode', id: '1', increment: { visits: -3, score: 0.5 } }])
    expect(fieldsOf('1')).toMatchObject({ name: 'Ada', visits: -2, score: 0.5 })
  })

  it.each([
    [{ name: 1 }, 'increment.name'],
    [{ visits: 0.5 }, 'increment.visits'],
    [{ visits: null }, 'increment.visits'],
    [{ visits: undefined }, 'increment.visits'],
    [{ visits: Number.MAX_SAFE_INTEGER }, 'increment.visits'],
    [{ born: 1 }, 'increment.born'],
    [{ visit: 1 }, 'increment.visit'],
    [1, 'increment'],
  ])('that is not possible is rejected: %j', async (increment, path) => {
    const { graph } = await create()
    const error = await errorOf(writeUntyped(graph, { op: 'patchNode', id: '1', increment }))
    expect(error).toMatchObject({ reason: 'invalid_mutation', data: { index: 0, path } })
  })

  it.each([
    [1.5, { visits: 1 }, 'an increment whose result is an integer'],
    ['7', { visits: 1 }, 'an increment of a stored number'],
  ])(
    'of a stored value that is not valid for an int field is rejected: %j',
    async (visits, increment, expected) => {
      const { graph, put, fieldsOf } = await create()
      put({ op: 'patchNode', id: '1', fields: { visits } })
      const error = await errorOf(graph.write([{ op: 'patchNode', id: '1', increment }]))
      expect(error).toMatchObject({
        reason: 'invalid_mutation',
        data: { path: 'increment.visits', expected },
      })
      expect(fieldsOf('1')?.visits).toBe(visits)
    },
  )

  it('rejects a field that the mutation also changes', async () => {
    const { graph } = await create()
    const both: TestMutation = { op: 'patchNode', id: '1', fields: { visits: 1 }, increment: { visits: 1 } }
    expect((await errorOf(graph.write([both]))).data).toMatchObject({ path: 'increment.visits' })
  })
})

describe('the id of a batch', () => {
  const increment: TestMutation = { op: 'patchNode', id: '1', increment: { visits: 1 } }

  it('makes a batch that is sent again do nothing', async () => {
    const { graph, fieldsOf } = await create()
    await graph.write([increment], { id: 'a' })
    await graph.write([increment], { id: 'a' })
    expect(fieldsOf('1')?.visits).toBe(2)
  })

  it('recognizes a batch whose members have another order, and whose edges have no time', async () => {
    const { graph } = await create()
    await graph.write([join], { id: 'a' })
    const reordered: TestMutation = {
      edge: { data: { role: 'owner' }, target: '3', name: 'groups', source: '1' },
      op: 'putEdge',
    }
    await graph.write([reordered], { id: 'a' })
    expect(await errorOf(graph.write([grace], { id: 'a' }))).toMatchObject({
      reason: 'conflict',
      data: { path: 'id' },
    })
  })

  it.each<TestMutation>([
    { op: 'deleteNode', id: '2', when: { fields: { name: 'Grace' } } },
    { op: 'patchNode', id: '2', fields: { visits: 1 }, when: { fields: { visits: null } } },
    { ...group, op: 'putNode', node: { id: '4', type: 'group', fields: {} }, when: { exists: false } },
  ])('recognizes a batch that would no longer be valid: %j', async mutation => {
    const { graph } = await create()
    await graph.write([mutation], { id: 'a' })
    await graph.write([{ op: 'deleteNode', id: '3' }])
    await graph.write([mutation], { id: 'a' })
  })

  it('is not kept for a batch that failed', async () => {
    const { graph, fieldsOf } = await create()
    const invalid: TestMutation = { op: 'patchNode', id: '9', fields: { name: 'A' } }
    await errorOf(graph.write([increment, invalid], { id: 'a' }))
    await graph.write([increment], { id: 'a' })
    expect(fieldsOf('1')?.visits).toBe(2)
  })

  it('is kept for an empty batch too', async () => {
    const { graph } = await create()
    await graph.write([], { id: 'a' })
    expect((await errorOf(graph.write([increment], { id: 'a' }))).reason).toBe('conflict')
  })

  it('is random and kept for ten minutes for a batch with a condition or an increment', async () => {
    const { graph, options } = await create(true)
    await graph.write([increment])
    await graph.write([{ ...increment, fields: {}, when: { exists: true } }])
    await graph.write([grace])
    const [, first, second, plain] = options.map(({ batch }) => batch)
    expect(first).toMatchObject({ keepMs: 600_000 })
    expect(second?.id).not.toBe(first?.id)
    expect(plain).toBeUndefined()
  })

  it.each([
    [{ fields: { tags: ['a'] } }, { fields: { tags: { 0: 'a' } } }],
    [{ increment: { score: 1 } }, { increment: { score: '1' } }],
    [{ increment: { score: 0 } }, { increment: { score: null } }],
  ])('tells batches apart: %j and %j', async (first, second) => {
    const { graph } = await create()
    const write = graph.write as (mutations: readonly unknown[], options: object) => Promise<unknown>
    await write([{ op: 'patchNode', id: '1', ...first }], { id: 'a' })
    const error = await errorOf(write([{ op: 'patchNode', id: '1', ...second }], { id: 'a' }))
    expect(error.reason).toBe('conflict')
  })

  it('recognizes a batch whose dates have become strings, because it was sent again as JSON', async () => {
    const { graph, fieldsOf } = await create()
    const mutations: readonly TestMutation[] = [{ op: 'patchNode', id: '1', fields: { born: new Date(1) } }]
    await graph.write(mutations, { id: 'a' })
    await graph.write(JSON.parse(JSON.stringify(mutations)), { id: 'a' })
    expect(fieldsOf('1')?.born).toBe(1)
  })

  it('does not change the error of an invalid date', async () => {
    const { graph } = await create()
    const invalid: TestMutation = { op: 'patchNode', id: '1', fields: { born: new Date('x') } }
    const { data } = await errorOf(graph.write([invalid], { id: 'a' }))
    expect(data).toMatchObject({ path: 'fields.born', received: 'an invalid Date' })
  })

  it.each<[unknown, string]>([
    [new Map([['a', 1]]), 'an instance of Map'],
    [Symbol('a'), 'a symbol'],
    [new (class Money {})(), 'an instance of Money'],
    [() => 'a', 'a function'],
    [Object.create({ constructor: 5, a: Object.create({}) }), 'an empty object'],
  ])('needs values that it can compare, otherwise the write fails: %o', async (value, received) => {
    const { graph } = await create()
    const write = graph.write as (mutations: readonly unknown[], options: object) => Promise<unknown>
    const patch = { op: 'patchNode', id: '1', fields: { name: value } }
    await expect(write([patch], { id: 'a' })).rejects.toThrow(
      new TypeError(
        `write: "mutations" must be an array of JSON values, dates and bigints if "id" is given; received one with ${received}`,
      ),
    )
  })

  it('is computed in linear time for values that are shared, and rejects a value that contains itself', async () => {
    const { graph } = await create()
    const write = graph.write as (mutations: readonly unknown[], options: object) => Promise<unknown>
    let shared: unknown = 'a'
    for (let depth = 0; depth < 60; depth++) shared = [shared, shared]
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    const patch = (tags: unknown) => [{ op: 'patchNode', id: '1', fields: { tags } }]
    await expect(write(patch(shared), { id: 'a' })).rejects.toThrow(/tags/)
    await expect(write(patch(cyclic), { id: 'a' })).rejects.toThrow(
      /received one with a value that contains itself or has /,
    )
    let deep: unknown = 'a'
    for (let depth = 0; depth < 101; depth++) deep = [deep]
    await expect(write(patch(deep), { id: 'a' })).rejects.toThrow(/more than 100 levels$/)
  })

  it.each([
    [{ id: '' }, 'id'],
    [{ id: 'a'.repeat(201) }, 'id'],
    [{ id: '\ud800' }, 'id'],
    [{ id: 7 }, 'id'],
    [{ keepMs: 1000 }, 'keepMs'],
    [{ id: 'a', keepMs: 59_999 }, 'keepMs'],
    [{ id: 'a', keepMs: 60_000.5 }, 'keepMs'],
    [{ id: 'a', keepMs: Number.MAX_SAFE_INTEGER }, 'keepMs'],
  ])('and its time must have their form: %j', async (options, name) => {
    const { graph } = await create()
    const write = graph.write as (mutations: readonly unknown[], options: object) => Promise<unknown>
    await expect(write([grace], options)).rejects.toThrow(new RegExp(`^write: "${name}" must be `))
  })
})

describe('a store without conditional writes', () => {
  it.each<[readonly TestMutation[], { readonly id?: string }]>([
    [[{ op: 'deleteNode', id: '1', when: { exists: true } }], {}],
    [[{ op: 'patchNode', id: '1', increment: { visits: 1 } }], {}],
    [[grace], { id: 'a' }],
  ])('makes a batch that needs them fail with a TypeError', async (mutations, options) => {
    const memory = createMemoryStore()
    const store: Store = { ...memory, capabilities: { ...memory.capabilities, conditionalWrites: false } }
    const graph = createGraph(store, { schema })
    await expect(graph.write(mutations, options)).rejects.toThrow(TypeError)
    await graph.write([grace])
  })
})

describe('a load', () => {
  it('has no conditions', async () => {
    const { graph } = await create()
    const lines = ['{"node":{"id":"9","type":"user","fields":{"name":"A"}},"when":{"exists":false}}\n']
    expect((await errorOf(graph.load(lines))).data).toMatchObject({ path: 'when' })
  })
})
