import { createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { countReads } from '../../src/testing/count-reads.ts'
import { fillStore } from '../contenders/graph.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameResults } from '../measure/same-results.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

const PAGE = 25
const ALBUMS = 50
const LIST_SIZE = 100
const LONG_LIST_SIZE = 100_000
const LONG_LIST = '1'
/** One entry in this many passes the filter. */
const SHARE = 10

const schema = defineSchema({
  album: node({
    edges: {
      photos: edge('photo'),
      listed: edge('photo', {
        parameters: { type: parameter.enum(['tagged', 'uploaded'], { default: 'tagged' }) },
        list: ({ type }) => (type === 'uploaded' ? 'listed_uploaded' : 'listed'),
      }),
      filtered: edge('photo', {
        fields: { score: field.int() },
        parameters: { score: parameter.int() },
        where: ({ data }, { score }) => data.score === score,
      }),
    },
  }),
  photo: node({ fields: { name: field.string({ default: true }) } }),
})

const albumIds = Array.from({ length: ALBUMS }, (_, index) => `${index + 1}`)

function* generateMutations(): Generator<StoreMutation> {
  for (const id of albumIds) yield { op: 'putNode', node: { id, type: 'album', fields: {} } }
  for (let index = 0; index < LONG_LIST_SIZE; index++) {
    const target = `${1000 + index}`
    const time = index
    yield { op: 'putNode', node: { id: target, type: 'photo', fields: { name: `Photo ${index}` } } }
    if (index < LIST_SIZE)
      for (const source of albumIds) {
        yield { op: 'putEdge', edge: { source, name: 'photos', target, time } }
        yield { op: 'putEdge', edge: { source, name: 'listed_uploaded', target, time } }
      }
    const data = { score: index % SHARE }
    yield { op: 'putEdge', edge: { source: LONG_LIST, name: 'filtered', target, time, data } }
  }
}

/** Compares a page through `list` with a page of an edge without parameters. */
const compareLists = async (store: ReturnType<typeof createMemoryStore>): Promise<Finding[]> => {
  const graph = createGraph(store, { schema })
  const session = graph.session({ app: 'bench' })
  const readPlain = (id: string) =>
    graph.getEdge(session, { id, type: 'album', edge: 'photos', fields: 'name' })
  const parameters = { type: 'uploaded' } as const
  const readListed = (id: string) =>
    graph.getEdge(session, { id, type: 'album', edge: 'listed', fields: 'name', parameters })
  const names = ['a page through list', 'a plain page'] as const
  const dataOf = async (page: Promise<{ readonly data: unknown }>) => (await page).data
  await assertSameResults(
    albumIds,
    [names[0], id => dataOf(readListed(id))],
    [names[1], id => dataOf(readPlain(id))],
    'bytes',
  )
  const plain = { ...readInTurn(albumIds, names[1], readPlain), bar: { max: 1.02 } }
  return compare(readInTurn(albumIds, names[0], readListed), [plain])
}

/** Compares both pages inside an expression, whose plan contains the stored list. */
const compareNestedLists = (store: ReturnType<typeof createMemoryStore>): Promise<Finding[]> => {
  const graph = createGraph(store, { schema })
  const session = graph.session({ app: 'bench' })
  const reader = (fields: string) => (id: string) => graph.getNode(session, { id, type: 'album', fields })
  const listed = reader('listed.type(uploaded){name}')
  const plain = { ...readInTurn(albumIds, 'photos', reader('photos{name}')), bar: { max: 1.02 } }
  return compare(readInTurn(albumIds, 'listed.type(uploaded)', listed), [plain])
}

/** Counts the passes of a page of the long list for each value of the filter. */
const countPasses = async (store: ReturnType<typeof createMemoryStore>): Promise<Finding> => {
  const counted = countReads(store)
  const graph = createGraph(counted, { schema })
  const session = graph.session({ app: 'bench' })
  let passes = 0
  for (let score = 0; score < SHARE; score++) {
    counted.clear()
    const call = {
      id: LONG_LIST,
      type: 'album',
      edge: 'filtered',
      limit: PAGE,
      parameters: { score },
    } as const
    const { data } = await graph.getEdge(session, call)
    if (data.length !== PAGE) throw new Error(`expected ${PAGE} entries`)
    passes = Math.max(passes, counted.reads.length)
  }
  return {
    label: `${PAGE} entries of ${LONG_LIST_SIZE}, one in ${SHARE} passes`,
    figure: spreadOf([passes]),
    unit: 'passes',
    bar: { max: 3 },
  }
}

export const createEdgeParametersRow = (): Row => ({
  name: 'edge-parameters',
  title: `a page of ${PAGE} entries through list and of an edge without parameters, and the passes of a filter`,
  async measure() {
    const store = createMemoryStore()
    await fillStore(store, generateMutations())
    return [...(await compareLists(store)), ...(await compareNestedLists(store)), await countPasses(store)]
  },
})
