import { createGraph, defineSchema, edge, field, fieldEquals, isViewer, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const schema = defineSchema(
  {
    person: node({
      fields: { best: field.ref('person'), any: field.ref(['person', 'page']) },
      edges: {
        photos: edge('photo'),
        denied: edge('photo', { policy: [isViewer()] }),
        mixed: edge(['person', 'photo']),
        friends: edge('person'),
      },
    }),
    page: node({ fields: { any: field.ref(['person', 'page']) }, edges: { photos: edge('photo') } }),
    photo: node({
      policy: [fieldEquals('open', true)],
      fields: { open: field.bool(), of: field.ref('person') },
    }),
  },
  { viewers: ['person', 'page'] },
)

const store = createMemoryStore()
for (const id of ['1', '2']) store.write([{ op: 'putNode', node: { id, type: 'person', fields: {} } }])
const graph = createGraph(store, { schema })
const viewer = graph.session({ viewer: '1', app: 'demo', scopes: [] })

/** Repeats an item of an expression, each time with another alias. */
const aliases = (count: number, item: (alias: string) => string): string =>
  Array.from({ length: count }, (_, index) => item(`.as(a${index})`)).join()

const explain = (fields: string, call: object = {}) =>
  callUntyped(async () => Reflect.apply(graph.explain, undefined, [{ type: 'person', fields, ...call }]))

const tooWideError = (received: number) => ({ reason: 'expression_too_wide', limit: 16, received })

/** Expressions that open an edge under a policy a given number of times. */
const EXPRESSION_FORMS: readonly (readonly [
  name: string,
  edge: string,
  fieldsOf: (times: number) => string,
])[] = [
  ['by aliases', 'person.photos', times => aliases(times, as => `photos${as}{id}`)],
  [
    'by aliases with windows',
    'person.photos',
    times => aliases(times, as => `photos${as}.since(1).limit(1)`),
  ],
  [
    'by an edge that is denied to the viewer',
    'person.denied',
    times => aliases(times, as => `denied${as}{id}`),
  ],
  [
    'by an edge with one target type under a policy',
    'person.mixed',
    times => aliases(times, as => `mixed${as}{id}`),
  ],
  ['through refs', 'person.photos', times => aliases(times, as => `best${as}{photos{id}}`)],
  ['through edges', 'person.photos', times => aliases(times, as => `friends${as}{best{photos{id}}}`)],
  [
    'on several levels',
    'person.photos',
    times => `photos{of{best{photos}}},${aliases(times - 2, as => `photos${as}{id}`)}`,
  ],
  [
    'with a count, which is another opening',
    'person.photos',
    times => `photos.as(counted).summary(true),${aliases(times - 2, as => `photos${as}{id}`)}`,
  ],
]

describe('an expression that opens an edge under a policy', () => {
  it.each(EXPRESSION_FORMS)('may open it 16 times, but not 17 times: %s', async (_, edge, fieldsOf) => {
    expect(await callUntyped(graph.getNode, viewer, { id: '2', fields: fieldsOf(16) })).toMatchObject({
      id: '2',
    })
    await explain(fieldsOf(16))
    const reads = [
      callUntyped(graph.getNode, viewer, { id: '2', fields: fieldsOf(17) }),
      callUntyped(graph.getNode, viewer, { id: '2', fields: fieldsOf(17), partial: true }),
      callUntyped(graph.getNodes, viewer, { ids: ['1', '2'], fields: fieldsOf(17), partial: true }),
      callUntyped(graph.getMe, viewer, { fields: fieldsOf(17) }),
      callUntyped(graph.getEdge, viewer, { id: '2', edge: 'friends', fields: fieldsOf(17) }),
      callUntyped(graph.getEdges, viewer, { ids: ['1', '2'], edge: 'friends', fields: fieldsOf(17) }),
      explain(fieldsOf(17)),
      explain(fieldsOf(17), { edge: 'friends' }),
    ]
    for (const read of reads) {
      const error = await expectGraphError(read)
      expect(error.toJSON().error.error_data).toEqual(tooWideError(17))
      expect(error.message).toContain(edge)
    }
  })

  it('may open it 16 times in total through all reachable types', async () => {
    const fields = (times: number) => aliases(times, as => `any${as}{photos{id}}`)
    expect(await explain(fields(16))).toHaveProperty('cost')
    expect((await expectGraphError(explain(fields(17)))).toJSON().error.error_data).toEqual(tooWideError(17))
    // Each item opens the photos of a person twice: through each of the two types.
    const twice = (times: number) => aliases(times, as => `any${as}{any{photos{id}}}`)
    expect(await explain(twice(8))).toHaveProperty('cost')
    expect((await expectGraphError(explain(twice(9)))).toJSON().error.error_data).toEqual(tooWideError(18))
  })

  it('may open it 16 times in total through me and the other ids, which are read separately', async () => {
    const read = (ids: readonly string[], times: number) =>
      callUntyped(graph.getNodes, viewer, { ids, fields: aliases(times, as => `photos${as}{id}`) })
    expect(await read(['1', '2'], 16)).toHaveProperty('2')
    expect(await read(['me', '2'], 8)).toHaveProperty('2')
    const error = await expectGraphError(read(['me', '2'], 9))
    expect(error.toJSON().error.error_data).toEqual(tooWideError(18))
  })

  it('may open other edges in addition', async () => {
    const openEdge = (name: string) => aliases(16, as => `${name}${as.replace('(a', `(${name}_`)}{id}`)
    expect(await explain([openEdge('photos'), openEdge('denied'), openEdge('mixed')].join())).toHaveProperty(
      'cost',
    )
  })
})

describe('an edge without a policy', () => {
  it('may be opened more than 16 times', async () => {
    expect(await explain(aliases(90, as => `friends${as}.summary(true){id}`))).toHaveProperty('cost')
  })
})

describe('an error in an expression that opens an edge too often', () => {
  const wide = aliases(17, as => `photos${as}{id}`)

  it('is thrown instead of expression_too_wide if it is about a name or a modifier', async () => {
    for (const [fields, reason] of [
      [`nothing,${wide}`, 'field_not_found'],
      [`${wide},nothing`, 'field_not_found'],
      [`${wide},friends.limit(0)`, 'invalid_parameter'],
      [`${wide},friends{best{nothing}}`, 'field_not_found'],
    ] as const) {
      expect((await expectGraphError(explain(fields))).reason).toBe(reason)
    }
  })
})
