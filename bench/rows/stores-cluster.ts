import type { Cluster } from 'ioredis'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import type { Store, StoreReadOptions, StoreReadRequest } from '../../src/store/contract.ts'
import { computeSlot } from '../../src/stores/redis/key-slot.ts'
import { hasRedisServer } from '../../test/helpers/redis.ts'
import { createGraphReader, fillStore, toMutations } from '../contenders/graph.ts'
import { createSocialData } from '../data/social-data.ts'
import type { Finding } from '../measure/finding.ts'
import { spreadOf } from '../measure/statistics.ts'
import { startMasters } from '../servers/redis-masters.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const PEOPLE = 300
const MASTERS = [1, 3, 6]
const IN_FLIGHT = 32
const READS = 256
const ROUNDS = 10

/**
 * The masters of each pipeline of a read request, or of each command outside of a pipeline, in the order of
 * the client's calls.
 */
type Pipelines = Set<string | undefined>[]

/** Returns the key of a command. In a script call, the key comes after the hash and the number of keys. */
const keyOf = ([name, ...args]: readonly string[]): string => (name === 'evalsha' ? args[2] : args[0]) ?? ''

const watchCluster = (cluster: Cluster, pipelines: Pipelines): RedisClient => {
  const note = (commands: readonly (readonly string[])[]) => {
    const keys = commands.flatMap(command => keyOf(command) || [])
    if (keys.length > 0) pipelines.push(new Set(keys.map(key => cluster.slots[computeSlot(key)]?.[0])))
  }
  return {
    pipeline: commands => {
      note(commands)
      return cluster.pipeline(commands)
    },
    call: (command, args) => {
      note([[command, ...args]])
      return cluster.call(command, args)
    },
    get slots() {
      return cluster.slots
    },
  }
}

/**
 * Asserts that each pipeline of a read request goes to one master. There may be one pipeline per involved
 * master, or two if ranges read the records of their targets.
 */
const assertPipelines = (
  store: Store,
  pipelines: Pipelines,
): Store & { readonly maxPipelines: () => number } => {
  let most = 0
  const read = async (request: StoreReadRequest, options: StoreReadOptions) => {
    pipelines.length = 0
    const result = await store.read(request, options)
    const touched = new Set(pipelines.flatMap(masters => [...masters])).size
    const rounds = request.ranges.length > 0 ? 2 : 1
    if (pipelines.some(masters => masters.size > 1) || pipelines.length > rounds * touched)
      throw new Error(`${pipelines.length} pipelines of a read, for ${touched} masters`)
    most = Math.max(most, pipelines.length / rounds)
    return result
  }
  return { ...store, read, maxPipelines: () => most }
}

type Reader = {
  readonly masters: number
  readonly maxPipelines: number
  readonly read: (turn: number) => unknown
}

const createReader = async (masters: number, shutdown: Shutdown): Promise<Reader> => {
  const cluster = await startMasters(masters, shutdown)
  const data = createSocialData(PEOPLE)
  const pipelines: Pipelines = []
  const watched = assertPipelines(createRedisStore(watchCluster(cluster, pipelines)), pipelines)
  await watched.open()
  await fillStore(watched, toMutations(data))
  const counted = await createGraphReader('counted', watched, data.viewers)
  for (const viewer of data.viewers) await counted.getPhotos(viewer)
  const { getPhotos } = await createGraphReader('timed', createRedisStore(cluster), data.viewers)
  const read = (turn: number) => getPhotos(data.viewers[turn % data.viewers.length] ?? '')
  return { masters, maxPipelines: watched.maxPipelines(), read }
}

/** Returns the microseconds per read, with several concurrent reads. */
const timeReads = async (read: Reader['read'], inFlight: number): Promise<number> => {
  let turn = 0
  const worker = async () => {
    while (turn < READS) await read(turn++)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: inFlight }, worker))
  return ((performance.now() - started) * 1000) / READS
}

export const createClusterRow = (shutdown: Shutdown): Row => ({
  name: 'stores-cluster',
  title: `the query for 71 nodes from Redis Clusters with ${PEOPLE} people, in elapsed time`,
  async measure() {
    if (!hasRedisServer('the row of Redis Clusters')) return []
    const readers: Reader[] = []
    for (const masters of MASTERS) readers.push(await createReader(masters, shutdown))
    const times = new Map(readers.map(reader => [reader, { alone: [] as number[], busy: [] as number[] }]))
    for (let round = 0; round < ROUNDS; round++)
      for (const [{ read }, { alone, busy }] of times) {
        alone.push(await timeReads(read, 1))
        busy.push(await timeReads(read, IN_FLIGHT))
      }
    return [...times].flatMap(([{ masters, maxPipelines }, { alone, busy }]): Finding[] => [
      {
        label: `masters: ${masters}, pipelines`,
        figure: spreadOf([maxPipelines]),
        unit: 'per round',
        bar: { max: masters },
      },
      { label: `masters: ${masters}, one read at a time`, figure: spreadOf(alone), unit: 'µs' },
      { label: `masters: ${masters}, ${IN_FLIGHT} reads at once`, figure: spreadOf(busy), unit: 'µs' },
    ])
  },
})
