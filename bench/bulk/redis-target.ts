import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createRedisStore } from 'kithgraph/redis'
import type { Mutation } from '../../src/store/contract.ts'
import { encodeReverse, Keys, toMarkedMember, toMember } from '../../src/stores/redis/keys.ts'
import { encodeData, encodeNode } from '../../src/stores/redis/records.ts'
import { HOST, startRedis } from '../../test/helpers/redis.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { type LoadTarget, putsOf } from './load-target.ts'

const keys = new Keys('kithgraph:')

/** A command as the protocol has it. */
const commandText = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map(word => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`

const commandsOf = (mutations: readonly Mutation[]): string[][] => {
  const { nodes, edges } = putsOf(mutations)
  return [
    ...nodes.map(node => ['SET', keys.node(node.id), encodeNode(node)]),
    ...edges.flatMap(edge => {
      const { source, name, target, time, data } = edge
      return [
        [
          'ZADD',
          keys.list(source, name),
          `${time}`,
          data === undefined ? toMember(target) : toMarkedMember(target),
        ],
        ['SADD', keys.names(source), name],
        ['SADD', keys.reverse(target), encodeReverse(edge)],
        ...(data === undefined
          ? []
          : [['HSET', keys.data(source, name), toMember(target), encodeData(time, data)]]),
      ]
    }),
  ]
}

/** `redis-cli --pipe` into a second server. */
export const createRedisTarget = async (shutdown: Shutdown): Promise<LoadTarget> => {
  const [ours, second] = [await startRedis(), await startRedis()]
  for (const server of [ours, second]) shutdown.add(() => server.stop())
  const redis = new Redis({ host: HOST, port: ours.port })
  shutdown.add(() => redis.disconnect())
  const store = createRedisStore(redis)
  await store.open()
  const load = async (mutations: readonly Mutation[]) => {
    const cli = spawn('redis-cli', ['-h', HOST, '-p', `${second.port}`, '--pipe'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    cli.stdin.end(commandsOf(mutations).map(commandText).join(''))
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
    means: [{ name: 'redis-cli --pipe', load }],
    bytes: async () => ({
      'in memory': Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]),
      'on disk': await bytesOnDisk(),
    }),
  }
}
