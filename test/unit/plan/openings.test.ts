import { createGraph, defineSchema, edge, field, fieldEquals, isViewer, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { faultOf, loosely } from '../abuse/fault-of.ts'

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

/** So many items of an expression, each under an alias of its own. */
const aliases = (count: number, item: (alias: string) => string): string =>
  Array.from({ length: count }, (_, index) => item(`.as(a${index})`)).join()

const explain = (fields: string, call: object = {}) =>
  loosely(async () => Reflect.apply(graph.explain, undefined, [{ type: 'person', fields, ...call }]))

const tooWide = (came: number) => ({ reason: 'expression_too_wide', limit: 16, came })

/** Expressions that open an edge under a policy so many times. */
const WAYS: readonly (readonly [name: string, edge: string, fieldsOf: (times: number) => string])[] = [
  ['by aliases', 'person.photos', times => aliases(times, as => `photos${as}{id}`)],
  [
    'by aliases of other windows',
    'person.photos',
    times => aliases(times, as => `photos${as}.since(1).limit(1)`),
  ],
  ['by what is denied to the viewer', 'person.denied', times => aliases(times, as => `denied${as}{id}`)],
  [
    'by an edge of which one type is under a policy',
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
    'with a count, which is one more',
    'person.photos',
    times => `photos.as(counted).summary(true),${aliases(times - 2, as => `photos${as}{id}`)}`,
  ],
]

describe('an expression that opens an edge under a policy', () => {
  it.each(WAYS)('16 times is compiled, and 17 times too wide: %s', async (_, edge, fieldsOf) => {
    expect(await loosely(graph.getNode, viewer, { id: '2', fields: fieldsOf(16) })).toMatchObject({ id: '2' })
    await explain(fieldsOf(16))
    const reads = [
      loosely(graph.getNode, viewer, { id: '2', fields: fieldsOf(17) }),
      loosely(graph.getNode, viewer, { id: '2', fields: fieldsOf(17), partial: true }),
      loosely(graph.getNodes, viewer, { ids: ['1', '2'], fields: fieldsOf(17), partial: true }),
      loosely(graph.getMe, viewer, { fields: fieldsOf(17) }),
      loosely(graph.getEdge, viewer, { id: '2', edge: 'friends', fields: fieldsOf(17) }),
      loosely(graph.getEdges, viewer, { ids: ['1', '2'], edge: 'friends', fields: fieldsOf(17) }),
      explain(fieldsOf(17)),
      explain(fieldsOf(17), { edge: 'friends' }),
    ]
    for (const read of reads) {
      const fault = await faultOf(read)
      expect(fault.data).toEqual(tooWide(17))
      expect(fault.message).toContain(edge)
    }
  })

  it('counts all types that may be reached, each for itself', async () => {
    const fields = (times: number) => aliases(times, as => `any${as}{photos{id}}`)
    expect(await explain(fields(16))).toHaveProperty('cost')
    expect((await faultOf(explain(fields(17)))).data).toEqual(tooWide(17))
    // Through both types each leads to the photos of a person.
    const twice = (times: number) => aliases(times, as => `any${as}{any{photos{id}}}`)
    expect(await explain(twice(8))).toHaveProperty('cost')
    expect((await faultOf(explain(twice(9)))).data).toEqual(tooWide(18))
  })

  it('is compiled if other edges are opened as often', async () => {
    const named = (name: string) => aliases(16, as => `${name}${as.replace('(a', `(${name}_`)}{id}`)
    expect(await explain([named('photos'), named('denied'), named('mixed')].join())).toHaveProperty('cost')
  })
})

describe('an edge under no policy', () => {
  it('may be opened more often', async () => {
    expect(await explain(aliases(90, as => `friends${as}.summary(true){id}`))).toHaveProperty('cost')
  })
})

describe('what else is wrong with an expression that is too wide', () => {
  const wide = aliases(17, as => `photos${as}{id}`)

  it('comes first if it is a name or a modifier, wherever it is', async () => {
    for (const [fields, reason] of [
      [`nothing,${wide}`, 'unknown_field'],
      [`${wide},nothing`, 'unknown_field'],
      [`${wide},friends.limit(0)`, 'bad_parameter'],
      [`${wide},friends{best{nothing}}`, 'unknown_field'],
    ] as const) {
      expect((await faultOf(explain(fields))).data.reason).toBe(reason)
    }
  })
})
