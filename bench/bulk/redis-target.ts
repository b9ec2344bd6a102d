import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createRedisStore } from 'kithgraph/redis'
import type { StoreMutation } from '../../src/store/mutations.ts'
import {
  encodeNode,
  encodeReverseEntry,
  toMember,
  toMemberWithData,
} from '../../src/stores/redis/encoding.ts'
import { RedisKeys } from '../../src/stores/redis/redis-keys.ts'
import { encodeData } from '../../src/stores/redis/stored-json.ts'
import { HOST, startRedis } from '../../test/helpers/redis.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { keepPuts, type LoadTarget } from './load-target.ts'

const keys = new RedisKeys('kithgraph:')

/** Formats a command in the Redis protocol. */
const commandText = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map(word => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`

const toCommands = (mutations: readonly StoreMutation[]): string[][] => {
  const { nodes, edges } = keepPuts(mutations)
  return [
    ...nodes.map(node => ['SET', keys.node(node.id), encodeNode(node)]),
    ...edges.flatMap(edge => {
      const { source, name, target, time, data } = edge
      return [
        [
          'ZADD',
          keys.list(source, name),
          `${time}`,
          data === undefined ? toMember(target) : toMemberWithData(target),
        ],
        ['SADD', keys.listNames(source), name],
        ['SADD', keys.reverseEntries(target), encodeReverseEntry({ ...edge, generation: '' })],
        ...(data === undefined
          ? []
          : [['HSET', keys.edgeData(source, name), toMember(target), encodeData(time, data)]]),
      ]
    }),
  ]
}

/** Loads with `redis-cli --pipe` into a second server. */
export const createRedisTarget = async (shutdown: Shutdown): Promise<LoadTarget> => {
  const [ours, second] = [await startRedis(), await startRedis()]
  for (const server of [ours, second]) shutdown.add(() => server.stop())
  const redis = new Redis({ host: HOST, port: ours.port })
  shutdown.add(() => redis.disconnect())
  const store = createRedisStore(redis)
  await store.open()
  const load = async (mutations: readonly StoreMutation[]) => {
    const cli = spawn('redis-cli', ['-h', HOST, '-p', `${second.port}`, '--pipe'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    cli.stdin.end(toCommands(mutations).map(commandText).join(''))
    const [code] = await once(cli, 'close')
    if (code !== 0) throw new Error(`redis-cli --pipe ended with ${code}`)
  }
  const bytesOnDisk = async (): Promise<number> => {
    await redis.save()
    const [, folder] = [await redis.config('GET', 'dir')].flat()
    return (await stat(join(String(folder), 'dump.rdb'))).size
  }
  return {
    name: 'Redis',
    store,
    bulkLoaders: [{ name: 'redis-cli --pipe', load }],
    bytes: async () => ({
      'in memory': Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]),
      'on disk': await bytesOnDisk(),
    }),
  }
}
