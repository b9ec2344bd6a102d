import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../examples/shared/open-store.ts'
import type { Store } from '../../src/store/contract.ts'
import { NOTHING } from '../../src/store/nothing.ts'
import { rangeOf } from '../../src/testing/records.ts'
import { manyIds, manyRecords, RECORDS_OF_ONE } from '../helpers/many-records.ts'
import { type ServedStore, servedKinds } from '../helpers/served-stores.ts'

const LONG = process.env.KITHGRAPH_LONG !== undefined
const PEOPLE = LONG ? 15_000 : 600
const ALL = { nodes: 2 * PEOPLE, edges: (RECORDS_OF_ONE - 2) * PEOPLE }
const MEGABYTE = 1e6

const OPTIONS = { signal: undefined, deadline: undefined, atLeast: undefined }
/** Ids of a wave: few enough for the longest lists. */
const WAVE = 100

/** How far a load has come, and the bytes that its process holds: alive after a collection, and resident. */
type Progress = {
  readonly nodes: number
  readonly edges: number
  readonly alive: number
  readonly resident: number
}

const recordsIn = ({ nodes, edges }: Pick<Progress, 'nodes' | 'edges'>): number => nodes + edges

/**
 * Loads in another process, and answers how it went on. With `killAt` the process is killed at that many records, or
 * however many it wrote until then; it would never come to the last one.
 */
const loadElsewhere = async (url: string, name: string, killAt?: number): Promise<readonly Progress[]> => {
  const script = new URL('../helpers/load-process.ts', import.meta.url).pathname
  const manner = killAt === undefined ? 'whole' : 'stalling'
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', script, url, name, `${PEOPLE}`, manner],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'close')
  const progress: Progress[] = []
  for await (const line of createInterface(child.stdout)) {
    const latest: Progress = JSON.parse(line)
    progress.push(latest)
    if (killAt !== undefined && recordsIn(latest) >= killAt) child.kill('SIGKILL')
  }
  expect(await ended).toEqual(killAt === undefined ? [0, null] : [null, 'SIGKILL'])
  return progress
}

const waves = (): readonly (readonly string[])[] => {
  const ids = manyIds(PEOPLE)
  return Array.from({ length: Math.ceil(ids.length / WAVE) }, (_, index) =>
    ids.slice(index * WAVE, (index + 1) * WAVE),
  )
}

const nodesIn = async (store: Store): Promise<number> => {
  let found = 0
  for (const nodes of waves()) {
    const answer = await store.read({ ...NOTHING, nodes }, OPTIONS)
    found += answer.nodes.filter(node => node !== undefined).length
  }
  return found
}

/** All that a store has: nodes, and their lists with their counts, as texts. */
const stateOf = async (store: Store): Promise<readonly string[]> => {
  const texts: string[] = []
  for (const nodes of waves()) {
    const ranges = nodes.flatMap(id =>
      ['photos', 'friends', 'likes'].map(name => rangeOf(id, name, { limit: 10 * PEOPLE })),
    )
    const answer = await store.read({ ...NOTHING, nodes, ranges }, OPTIONS)
    texts.push(...[...answer.nodes, ...answer.ranges].map(part => JSON.stringify(part) ?? 'nothing'))
  }
  return texts
}

const inMemory = async (): Promise<readonly string[]> => {
  const store = createMemoryStore()
  await createGraph(store).load(manyRecords(PEOPLE))
  return stateOf(store)
}

describe.each(servedKinds('that loads are resumed', { every: LONG }))('a load into $name', ({ start }) => {
  let served: ServedStore
  beforeAll(async () => {
    served = await start()
  })
  afterAll(() => served?.stop())

  it('that is killed midway is completed by the same load again: nothing is lost, nothing doubled', async () => {
    const written = (await loadElsewhere(served.url, 'killed', recordsIn(ALL) / 3)).at(-1)?.nodes
    const store = await openStore(served.url, 'killed')
    await using graph = createGraph(store)
    await store.open()
    const expected = await inMemory()
    const left = await nodesIn(store)
    expect(left).toBeGreaterThanOrEqual(written ?? Number.NaN)
    expect(left).toBeLessThan(ALL.nodes)

    const progress: number[] = []
    const counts = await graph.load(manyRecords(PEOPLE), { onProgress: so => progress.push(recordsIn(so)) })
    expect(counts).toEqual({ ...ALL, skipped: 0 })
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.at(-1)).toBe(recordsIn(ALL))
    expect(await stateOf(store)).toEqual(expected)
  })

  it.runIf(LONG)('of 105,000 records takes as much memory at its end as at its beginning', async () => {
    const progress = await loadElsewhere(served.url, 'whole')
    const quarter = Math.ceil(progress.length / 4)
    const most = (part: readonly Progress[], of: 'alive' | 'resident'): number =>
      Math.max(...part.map(latest => latest[of])) / MEGABYTE
    const [early, late] = [progress.slice(0, quarter), progress.slice(quarter)]
    for (const of of ['alive', 'resident'] as const)
      console.info(`${of}: ${most(early, of).toFixed(1)} MB at first, ${most(late, of).toFixed(1)} MB later`)
    // Three quarters of the records are some 15 MB as text.
    expect(most(late, 'alive')).toBeLessThan(most(early, 'alive') + 4)
    expect(most(late, 'resident')).toBeLessThan(most(early, 'resident') + 60)
  })
})
