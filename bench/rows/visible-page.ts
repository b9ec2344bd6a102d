import { createGraph, defineSchema, edge, field, node, type Policy, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { countReads } from '../../src/testing/count-reads.ts'
import { fillStore } from '../contenders/graph.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import { ALBUMS, createFilteredAlbums, VIEWER } from '../data/filtered-albums.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameResults } from '../measure/same-results.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

const PAGE = 25

const createSchema = (policy: Policy | undefined) =>
  defineSchema(
    {
      person: node({ edges: { friends: edge('person') } }),
      album: node({ edges: { photos: edge('photo') } }),
      photo: node({ policy, fields: { author: field.ref('person', { default: false }) } }),
    },
    { viewers: ['person'] },
  )

const openGraph = async (mutations: readonly StoreMutation[], policy: Policy | undefined) => {
  const memory = createMemoryStore()
  await fillStore(memory, mutations)
  const open = (store: typeof memory | ReturnType<typeof countReads>) => {
    const { getEdges, session } = createGraph(store, {
      schema: createSchema(policy),
      limits: { ids: ALBUMS.albums },
    })
    const viewer = session({ viewer: VIEWER, app: 'bench', scopes: [] })
    return (ids: readonly string[]) =>
      getEdges(viewer, { ids, type: 'album', edge: 'photos', limit: PAGE, fields: 'id' })
  }
  const store = countReads(memory)
  return { read: open(memory), readCounted: open(store), store }
}

/** Divides the lists into groups of the given size. The key of a group is its first list. */
const groupAlbums = (albums: readonly string[], size: number): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Array.from({ length: Math.floor(albums.length / size) }, (_, index) => {
      const group = albums.slice(index * size, (index + 1) * size)
      return [group[0] ?? '', group]
    }),
  )

type OpenedGraph = Awaited<ReturnType<typeof openGraph>>

const listsOf = (size: number): string => (size === 1 ? '1 list' : `${size} lists`)

/** Counts the passes and store reads of each group, and returns the largest number of each. */
const countPassesAndReads = async (
  { readCounted, store }: OpenedGraph,
  groups: ReadonlyMap<string, readonly string[]>,
  size: number,
): Promise<Finding[]> => {
  let passes = 0
  let reads = 0
  for (const group of groups.values()) {
    store.clear()
    await readCounted(group)
    passes = Math.max(passes, store.reads.filter(({ requested }) => requested.ranges > 0).length)
    reads = Math.max(reads, store.reads.length)
  }
  return [
    {
      label: `${listsOf(size)}, largest number of passes`,
      figure: spreadOf([passes]),
      unit: 'passes',
      bar: { max: 3 },
    },
    { label: `${listsOf(size)}, largest number of reads`, figure: spreadOf([reads]), unit: 'reads' },
  ]
}

export const createVisiblePageRow = (): Row => ({
  name: 'visible-page',
  title: `a page of ${PAGE} entries, from a list in which one in four entries is visible, and from a list in which all entries are visible`,
  async measure() {
    const { albums, all, visible } = createFilteredAlbums()
    const filtered = await openGraph(all, [viewerHasEdge('friends', { of: 'author' })])
    const unfiltered = await openGraph(visible, undefined)
    const findings: Finding[] = []
    for (const size of [1, ALBUMS.albums]) {
      const groups = groupAlbums(albums, size)
      const firsts = [...groups.keys()]
      const reader =
        ({ read }: OpenedGraph) =>
        (first: string) =>
          read(groups.get(first) ?? [])
      const names = [`${listsOf(size)} with a policy`, `${listsOf(size)} without a policy`] as const
      await assertSameResults(firsts, [names[0], reader(filtered)], [names[1], reader(unfiltered)], 'bytes')
      const timed = await compare(readInTurn(firsts, names[0], reader(filtered)), [
        readInTurn(firsts, names[1], reader(unfiltered)),
      ])
      findings.push(...timed, ...(await countPassesAndReads(filtered, groups, size)))
    }
    return findings
  },
})
