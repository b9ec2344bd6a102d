import {
  createGraph,
  defineSchema,
  edge,
  field,
  isGraphError,
  isViewer,
  node,
  socialSchema,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const LIMIT = 25_000

const aliases = (count: number, of: (alias: string) => string): string =>
  Array.from({ length: count }, (_, index) => of(`.as(a${index})`)).join()

const computedSchema = field.string({ resolve: records => records.map(({ id }) => id) })
const weightedSchema = field.string({ weight: 40, resolve: records => records.map(({ id }) => id) })

const openSchema = socialSchema.extend({
  photo: { fields: { computed: computedSchema, weighed: weightedSchema } },
})
const policySchema = openSchema.extend({ user: { policy: [isViewer(), viewerHasEdge('friends')] } })

const explainCost = (schema: typeof openSchema, fields: string): number =>
  createGraph(createMemoryStore(), { schema }).explain(Object({ type: 'post', fields })).cost

const photos = (fields: string): string => `photos.limit(100){${fields}}`

describe('a call with few nodes and many other parts', () => {
  it.each([
    ['lists of values', photos(aliases(195, alias => `images${alias}`)), 1 + 1 + 100 * (1 + 195 * 5)],
    [
      'lists inside of values',
      photos(aliases(99, alias => `images${alias}{source}`)),
      1 + 1 + 100 * (1 + 99 * 5),
    ],
    ['computed fields', photos(aliases(195, alias => `computed${alias}`)), 1 + 1 + 100 * (1 + 195)],
    [
      'computed fields with a weight',
      photos(aliases(9, alias => `weighed${alias}`)),
      1 + 1 + 100 * (1 + 9 * 40),
    ],
    ['refs', photos(aliases(195, alias => `from${alias}`)), 1 + 1 + 100 * (1 + 195)],
    [
      'lists of one entry',
      photos(aliases(195, alias => `likes.limit(1)${alias}`)),
      1 + 1 + 100 * (1 + 195 * 2),
    ],
    ['edges to the viewer', photos(aliases(195, alias => `viewer_likes${alias}`)), 1 + 1 + 100 * (1 + 195)],
  ])('has a cost for each part: %s', (_, fields, cost) => {
    expect(explainCost(openSchema, fields)).toBe(cost)
  })

  it('costs a multiple of the limit if policies filter 19,600 of its lists', () => {
    // An expression may open an edge under a policy at most 16 times.
    const names = Array.from({ length: 14 }, (_, index) => `fans${index}`)
    const schema = policySchema.extend({
      photo: { edges: Object.fromEntries(names.map(name => [name, edge('user')])) },
    })
    const lists = Array.from({ length: 196 }, (_, index) => `fans${index % 14}.limit(1).as(a${index})`)
    const fields = photos(lists.join())
    expect(explainCost(schema, fields)).toBe(1 + 1 + 100 * (1 + 196 * (10 + 1 * 2)))
    expect(explainCost(schema, fields)).toBeGreaterThan(9 * LIMIT)
  })

  it('costs an additional 100 for each summary of a list that a policy filters', () => {
    const fields = photos(aliases(3, alias => `likes.limit(1).summary(true)${alias}{id}`))
    expect(explainCost(policySchema, fields)).toBe(1 + 1 + 100 * (1 + 3 * (10 + 100 + 1 * 2)))
  })

  it('is rejected with an error that contains the largest page size within the cost limit', async () => {
    const graph = createGraph(createMemoryStore(), { schema: openSchema })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'post', fields: {} } }])
    const fields: string = photos(aliases(195, alias => `images${alias}`))
    const error: unknown = await graph
      .getNode(graph.session({ app: 'demo' }), { id: '1', fields })
      .catch((error: unknown) => error)
    if (!isGraphError(error)) throw error
    expect(error.toJSON().error.error_data).toEqual({
      reason: 'query_too_expensive',
      cost: 97_602,
      limit: LIMIT,
      fits: 25,
    })
    expect(explainCost(openSchema, fields.replace('limit(100)', 'limit(25)'))).toBeLessThanOrEqual(LIMIT)
    expect(explainCost(openSchema, fields.replace('limit(100)', 'limit(26)'))).toBeGreaterThan(LIMIT)
  })
})

describe('an ordinary page', () => {
  const feed =
    'message,created_time,from{name,picture},likes.limit(3).summary(true){name},comments.limit(3){message,from{name}}'

  it.each([
    ['of a feed', openSchema, 1000],
    ['of a feed of people with a policy', policySchema, 5000],
  ])('%s costs far less than the limit', (_, schema, most) => {
    const { cost } = createGraph(createMemoryStore(), { schema }).explain({
      type: 'page',
      edge: 'feed',
      fields: feed,
    })
    expect(cost).toBeGreaterThan(25)
    expect(cost).toBeLessThan(most)
  })
})

describe('the cost of a call', () => {
  it('includes the lists inside of the objects that it reads', () => {
    const schema = defineSchema({
      book: node({
        fields: {
          facts: field.object({
            tags: field.list(field.string()),
            scores: field.map(field.int(), { weight: 20 }),
            title: field.string(),
          }),
        },
        edges: { sequels: edge('book') },
      }),
    })
    const { explain } = createGraph(createMemoryStore(), { schema })
    const costOf = (fields: string): number => explain(Object({ type: 'book', fields })).cost
    expect(costOf('facts')).toBe(1 + 5 + 20)
    expect(costOf('facts{title}')).toBe(1)
    expect(costOf('facts{scores{a},tags,tags.as(again)}')).toBe(1 + 20 + 5 + 5)
    expect(costOf('sequels.limit(2){facts}')).toBe(1 + 1 + 2 * (1 + 25))
  })
})
