import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../examples/shared/open-store.ts'
import type { Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { createIds, generateRecords, RECORDS_PER_PERSON } from '../helpers/generated-records.ts'
import { availableStoreServers, type StoreServer } from '../helpers/store-servers.ts'

const LONG = process.env.KITHGRAPH_LONG !== undefined
const PEOPLE = LONG ? 15_000 : 600
const RECORD_COUNT = { nodes: 2 * PEOPLE, edges: (RECORDS_PER_PERSON - 2) * PEOPLE }
const MEGABYTE = 1e6

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
/** The number of ids in one read, small enough that even the longest lists fit in memory. */
const READ_SIZE = 100

/**
 * The progress of a load, and the memory of its process in bytes: the heap after a collection, and the
 * resident set.
 */
type Progress = {
  readonly nodes: number
  readonly edges: number
  readonly alive: number
  readonly resident: number
}

const countRecords = ({ nodes, edges }: Pick<Progress, 'nodes' | 'edges'>): number => nodes + edges

/**
 * Loads in another process, and returns the progress that it reported. With `killAt`, the process is killed
 * at its first report of at least that many records. It then stalls before the last record, so that it cannot
 * finish first.
 */
const loadInProcess = async (url: string, name: string, killAt?: number): Promise<readonly Progress[]> => {
  const script = new URL('../helpers/load-process.ts', import.meta.url).pathname
  const mode = killAt === undefined ? 'whole' : 'stalling'
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', script, url, name, `${PEOPLE}`, mode],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'close')
  const progress: Progress[] = []
  for await (const line of createInterface(child.stdout)) {
    const latest: Progress = JSON.parse(line)
    progress.push(latest)
    if (killAt !== undefined && countRecords(latest) >= killAt) child.kill('SIGKILL')
  }
  expect(await ended).toEqual(killAt === undefined ? [0, null] : [null, 'SIGKILL'])
  return progress
}

const createRequests = (): readonly (readonly string[])[] => {
  const ids = createIds(PEOPLE)
  return Array.from({ length: Math.ceil(ids.length / READ_SIZE) }, (_, index) =>
    ids.slice(index * READ_SIZE, (index + 1) * READ_SIZE),
  )
}

const nodesIn = async (store: Store): Promise<number> => {
  let found = 0
  for (const nodes of createRequests()) {
    const result = await store.read({ ...EMPTY_REQUEST, nodes }, OPTIONS)
    found += result.nodes.filter(node => node !== undefined).length
  }
  return found
}

/** Reads the content of a store as texts: the nodes, and their lists with their counts. */
const stateOf = async (store: Store): Promise<readonly string[]> => {
  const texts: string[] = []
  for (const nodes of createRequests()) {
    const ranges = nodes.flatMap(id =>
      ['photos', 'friends', 'likes'].map(name => createRange(id, name, { limit: 10 * PEOPLE })),
    )
    const result = await store.read({ ...EMPTY_REQUEST, nodes, ranges }, OPTIONS)
    texts.push(...[...result.nodes, ...result.ranges].map(part => JSON.stringify(part) ?? 'nothing'))
  }
  return texts
}

const loadIntoMemory = async (): Promise<readonly string[]> => {
  const store = createMemoryStore()
  await createGraph(store).load(generateRecords(PEOPLE))
  return stateOf(store)
}

describe.each(availableStoreServers('that loads are resumed', { every: LONG }))(
  'a load into $name',
  ({ start }) => {
    let served: StoreServer
    beforeAll(async () => {
      served = await start()
    })
    afterAll(() => served?.stop())

    it('that is killed midway is completed by another load of the same records, without lost or duplicate records', async () => {
      const written = (await loadInProcess(served.url, 'killed', countRecords(RECORD_COUNT) / 3)).at(
        -1,
      )?.nodes
      const store = await openStore(served.url, 'killed')
      await using graph = createGraph(store)
      await store.open()
      const expected = await loadIntoMemory()
      const left = await nodesIn(store)
      expect(left).toBeGreaterThanOrEqual(written ?? Number.NaN)
      expect(left).toBeLessThan(RECORD_COUNT.nodes)

      const progress: number[] = []
      const counts = await graph.load(generateRecords(PEOPLE), {
        onProgress: so => progress.push(countRecords(so)),
      })
      expect(counts).toEqual({ ...RECORD_COUNT, skipped: 0 })
      expect(progress).toEqual([...progress].sort((a, b) => a - b))
      expect(progress.at(-1)).toBe(countRecords(RECORD_COUNT))
      expect(await stateOf(store)).toEqual(expected)
    })

    it.runIf(LONG)('of 105,000 records needs hardly more memory after its first quarter', async () => {
      const progress = await loadInProcess(served.url, 'whole')
      const quarter = Math.ceil(progress.length / 4)
      const most = (part: readonly Progress[], of: 'alive' | 'resident'): number =>
        Math.max(...part.map(latest => latest[of])) / MEGABYTE
      const [early, late] = [progress.slice(0, quarter), progress.slice(quarter)]
      for (const of of ['alive', 'resident'] as const)
        console.info(
          `${of}: ${most(early, of).toFixed(1)} MB at first, ${most(late, of).toFixed(1)} MB later`,
        )
      // As text, three quarters of the records have about 15 MB.
      expect(most(late, 'alive')).toBeLessThan(most(early, 'alive') + 4)
      expect(most(late, 'resident')).toBeLessThan(most(early, 'resident') + 60)
    })
  },
)
