import { createGraph, defineSchema, edge, field, node, type Policy, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { Mutation } from '../../src/store/contract.ts'
import { countReads } from '../../src/testing/count-reads.ts'
import { fillStore } from '../contenders/graph.ts'
import { inTurn } from '../contenders/social-readers.ts'
import { ALBUMS, createSiftedAlbums, VIEWER } from '../data/sifted-albums.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

const PAGE = 25

const schemaUnder = (policy: Policy | undefined) =>
  defineSchema(
    {
      person: node({ edges: { friends: edge('person') } }),
      album: node({ edges: { photos: edge('photo') } }),
      photo: node({ policy, fields: { author: field.ref('person', { default: false }) } }),
    },
    { viewers: ['person'] },
  )

const openGraph = async (mutations: readonly Mutation[], policy: Policy | undefined) => {
  const memory = createMemoryStore()
  await fillStore(memory, mutations)
  const open = (store: typeof memory | ReturnType<typeof countReads>) => {
    const { getEdges, session } = createGraph(store, {
      schema: schemaUnder(policy),
      limits: { ids: ALBUMS.albums },
    })
    const viewer = session({ viewer: VIEWER, app: 'bench', scopes: [] })
    return (ids: readonly string[]) =>
      getEdges(viewer, { ids, type: 'album', edge: 'photos', limit: PAGE, fields: 'id' })
  }
  const store = countReads(memory)
  return { read: open(memory), readCounted: open(store), store }
}

/** So many lists at a time, by the first of them. */
const groupsOf = (albums: readonly string[], size: number): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Array.from({ length: Math.floor(albums.length / size) }, (_, index) => {
      const group = albums.slice(index * size, (index + 1) * size)
      return [group[0] ?? '', group]
    }),
  )

type Opened = Awaited<ReturnType<typeof openGraph>>

/** The most passes and reads that any of the groups takes. */
const countWaves = async (
  { readCounted, store }: Opened,
  groups: ReadonlyMap<string, readonly string[]>,
  size: number,
): Promise<Finding[]> => {
  let passes = 0
  let waves = 0
  for (const group of groups.values()) {
    store.clear()
    await readCounted(group)
    passes = Math.max(passes, store.reads.filter(({ asked }) => asked.ranges > 0).length)
    waves = Math.max(waves, store.reads.length)
  }
  return [
    { label: `${size} at worst`, figure: spreadOf([passes]), unit: 'passes', bar: { atMost: 3 } },
    { label: `${size} at worst`, figure: spreadOf([waves]), unit: 'waves' },
  ]
}

export const createVisiblePageRow = (): Row => ({
  name: 'visible-page',
  title: `a page of ${PAGE} of a list where one entry in four is seen, beside a list of those alone`,
  async measure() {
    const { albums, all, seen } = createSiftedAlbums()
    const sifted = await openGraph(all, [viewerHasEdge('friends', { of: 'author' })])
    const bare = await openGraph(seen, undefined)
    const findings: Finding[] = []
    for (const size of [1, ALBUMS.albums]) {
      const groups = groupsOf(albums, size)
      const firsts = [...groups.keys()]
      const reader =
        ({ read }: Opened) =>
        (first: string) =>
          read(groups.get(first) ?? [])
      const names = [`${size} under a policy`, `${size} without one`] as const
      await assertSameAnswers(firsts, [names[0], reader(sifted)], [names[1], reader(bare)], 'bytes')
      const timed = await compare(inTurn(firsts, names[0], reader(sifted)), [
        inTurn(firsts, names[1], reader(bare)),
      ])
      findings.push(...timed, ...(await countWaves(sifted, groups, size)))
    }
    return findings
  },
})
