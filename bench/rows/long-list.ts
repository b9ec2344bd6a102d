import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { fillStore } from '../contenders/graph.ts'
import { compare } from '../measure/compare.ts'
import type { Row } from './row.ts'

const LONG = 1_000_000
const PAGE = 25
const BATCH = 10_000
const FIRST_PERSON = 100_000_000_000
const START = Date.UTC(2014, 0)
const SECOND = 1000

const personId = (index: number): string => `${FIRST_PERSON + index}`

const pageNode = (id: string): StoreMutation => ({
  op: 'putNode',
  node: { id, type: 'page', fields: { name: `Page ${id}` } },
})

/** Creates people who like a page, with one like per second. */
const likers = (page: string, from: number, to: number): StoreMutation[] =>
  Array.from({ length: to - from }, (_, offset): StoreMutation[] => {
    const target = personId(from + offset)
    const time = START + (from + offset) * SECOND
    return [
      { op: 'putNode', node: { id: target, type: 'user', fields: { name: `Person ${from + offset}` } } },
      { op: 'putEdge', edge: { source: page, name: 'likes', target, time } },
    ]
  }).flat()

const createPages = async () => {
  const store = createMemoryStore()
  const [long, short] = ['1', '2'] as const
  await fillStore(store, [pageNode(long), pageNode(short), ...likers(short, 0, PAGE)])
  for (let from = 0; from < LONG; from += BATCH) await fillStore(store, likers(long, from, from + BATCH))
  const { getEdge, tokens } = createGraph(store)
  const token = await tokens.issue({ viewer: long, app: 'bench' })
  const reader = (id: string) => () => getEdge(token, { id, edge: 'likes', limit: PAGE, summary: true })
  return { readLong: reader(long), readShort: reader(short) }
}

const assertFull = async (read: () => Promise<object>, total: number): Promise<void> => {
  const { data, summary }: { data?: readonly unknown[]; summary?: { total_count?: number } } = await read()
  if (data?.length === PAGE && summary?.total_count === total) return
  throw new Error(`expected ${PAGE} entries of ${total}; received ${data?.length} of ${summary?.total_count}`)
}

export const createLongListRow = (): Row => ({
  name: 'list',
  title: 'a page of 25 entries with the count, from a list of 1,000,000 edges and from a list of 25',
  async measure() {
    const { readLong, readShort } = await createPages()
    await assertFull(readLong, LONG)
    await assertFull(readShort, PAGE)
    return compare({ name: 'list of 1,000,000', call: readLong }, [
      { name: 'list of 25', call: readShort, bar: { max: 1.5 } },
    ])
  },
})
