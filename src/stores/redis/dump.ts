import type { NodeId } from '../../base/ids.ts'
import type { EdgeRange, Wave, WaveAnswer } from '../../store/contract.ts'
import { NOTHING } from '../../store/nothing.ts'
import { dumpLine } from '../dump/dump-line.ts'
import type { RedisClient } from './redis-client.ts'
import { scanKeys } from './scan.ts'

/** Lists that are read at once, and edges of all of them: few enough to hold. */
const LISTS = 100
const EDGES = 1000

type Read = (wave: Wave) => Promise<WaveAnswer>

/** What of a list was not read yet: all behind a position. */
type Rest = Pick<EdgeRange, 'source' | 'name' | 'from'>

const rangeOf = (rest: Rest, limit: number): EdgeRange => ({
  ...rest,
  direction: 'oldest',
  minTime: undefined,
  maxTime: undefined,
  limit,
  count: false,
})

async function* nodeLines(read: Read, ids: readonly NodeId[]): AsyncGenerator<string> {
  const { nodes } = await read({ ...NOTHING, nodes: ids })
  for (const node of nodes) if (node !== undefined) yield dumpLine({ node })
}

async function* edgeLines(read: Read, lists: readonly Rest[]): AsyncGenerator<string> {
  let left = lists
  while (left.length > 0) {
    const taken = left.slice(0, LISTS)
    const limit = Math.ceil(EDGES / taken.length)
    const answer = await read({ ...NOTHING, ranges: taken.map(rest => rangeOf(rest, limit)) })
    const unfinished: Rest[] = []
    for (const [index, { source, name }] of taken.entries()) {
      const slice = answer.ranges[index]
      for (const { target, time, data } of slice?.entries ?? [])
        yield dumpLine({ edge: { source, name, target, time, data } })
      if (slice?.more) unfinished.push({ source, name, from: slice.end })
    }
    left = [...unfinished, ...left.slice(LISTS)]
  }
}

/** All nodes, then all edges, as lines of NDJSON: the keys are found on each master, and read as any wave is. */
export async function* dumpLines(client: RedisClient, prefix: string, read: Read): AsyncGenerator<string> {
  for await (const parts of scanKeys(client, prefix, 'n'))
    yield* nodeLines(
      read,
      parts.map(({ id }) => id),
    )
  for await (const parts of scanKeys(client, prefix, 'e'))
    yield* edgeLines(
      read,
      parts.map(({ id, rest }) => ({ source: id, name: rest, from: undefined })),
    )
}
