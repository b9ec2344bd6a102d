import { createGraph, defineSchema, edge, field, fieldEquals, isGraphError, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../src/store/mutations.ts'

const AUTHOR = '1'
const POSTS = 100
const WINDOWS = 170
/** The time when the hidden photos were added, in seconds. */
const HIDDEN_AT = 123

const schema = defineSchema(
  {
    person: node({ edges: { posts: edge('post'), photos: edge('photo') } }),
    post: node({ fields: { from: field.ref('person') } }),
    photo: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
  },
  { viewers: ['person'] },
)

const putEdge = (name: string, target: string, time: number): StoreMutation => ({
  op: 'putEdge',
  edge: { source: AUTHOR, name, target, time },
})

const photo = (id: string, open: boolean, time: number): StoreMutation[] => [
  { op: 'putNode', node: { id, type: 'photo', fields: { open } } },
  putEdge('photos', id, time),
]

/**
 * Opens a graph of a person with posts, two visible photos, and hidden photos that all have the same time.
 */
const openProfile = async (hidden: number) => {
  const store = createMemoryStore()
  await store.write(
    [
      { op: 'putNode', node: { id: AUTHOR, type: 'person', fields: {} } },
      ...Array.from({ length: POSTS }, (_, index): StoreMutation[] => [
        { op: 'putNode', node: { id: `${100 + index}`, type: 'post', fields: { from: AUTHOR } } },
        putEdge('posts', `${100 + index}`, index),
      ]).flat(),
      ...photo('5000', true, 500_000),
      ...photo('5001', true, 1000),
      ...Array.from({ length: hidden }, (_, index) =>
        photo(`${6000 + index}`, false, HIDDEN_AT * 1000 + index),
      ).flat(),
    ],
    { signal: undefined },
  )
  const graph = createGraph(store, { schema, secret: 'the secret of the cursors' })
  const stranger = graph.session({ viewer: undefined, app: 'demo', scopes: [] })
  return { graph, stranger }
}

type Profile = Awaited<ReturnType<typeof openProfile>>

/**
 * Returns everything that a stranger receives for an expression: the result, or the error without its trace
 * id.
 */
const readAsStranger = async ({ graph, stranger }: Profile, fields: string): Promise<string> => {
  try {
    return JSON.stringify(await Reflect.apply(graph.getNode, undefined, [stranger, { id: AUTHOR, fields }]))
  } catch (error) {
    if (!isGraphError(error)) throw error
    return JSON.stringify({ ...error.toJSON().error, fbtrace_id: '' })
  }
}

/** Creates items that read the photos of an author, each for a different second. */
const windows = (count: number, first = 0): string =>
  Array.from({ length: count }, (_, index) => {
    const second = first + index
    return `photos.as(p${index}).limit(1).since(${second}).until(${second})`
  }).join()

const openBelow = (items: string): string => `posts.limit(${POSTS}){from{${items}}}`

describe('an attack that opens one list in many time windows', () => {
  it('is rejected before it reveals when hidden photos were added', async () => {
    const attack = openBelow(windows(WINDOWS))
    expect(JSON.parse(await readAsStranger(await openProfile(5), attack))).toMatchObject({
      code: 1,
      error_data: { reason: 'expression_too_wide', limit: 16, received: WINDOWS },
    })
  })

  it('receives the same bytes with and without hidden photos for each of six expressions', async () => {
    const [without, few, many] = [await openProfile(0), await openProfile(5), await openProfile(900)]
    const second = `photos.limit(1).since(${HIDDEN_AT}).until(${HIDDEN_AT})`
    const expressions = [
      openBelow(windows(WINDOWS)),
      openBelow(windows(16, HIDDEN_AT - 8)),
      openBelow(`${windows(14, HIDDEN_AT - 8)},${second}.summary(true){id}`),
      `${second}{id}`,
      windows(16, HIDDEN_AT),
      'photos.limit(1){id}',
    ]
    for (const fields of expressions) {
      const expected = await readAsStranger(without, fields)
      expect(await readAsStranger(few, fields)).toBe(expected)
      expect(await readAsStranger(many, fields)).toBe(expected)
    }
  })

  it('receives no paging link for a time window with only hidden photos', async () => {
    const text = await readAsStranger(await openProfile(900), openBelow(windows(16, HIDDEN_AT - 8)))
    expect(JSON.parse(text).posts.data).toHaveLength(POSTS)
    expect(text).not.toContain('"next"')
    expect(text).not.toContain('"paging":{"cursors":{"after"')
  })
})
