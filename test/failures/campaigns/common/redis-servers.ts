import { type Cluster, Redis } from 'ioredis'
import { HOST, startRedis } from '../../../helpers/redis.ts'
import { startRedisCluster } from '../../../helpers/redis-cluster.ts'

/** Running Redis servers, without a record of which kind they are. */
export type RedisServers = {
  /** Creates a client with its own connections, which `stop` closes. */
  connect(): Redis | Cluster
  /** The ports of servers by which a client finds all of them. */
  readonly ports: readonly number[]
  readonly isCluster: boolean
  stop(): Promise<void>
}

const startServer = async (): Promise<RedisServers> => {
  const server = await startRedis()
  const clients: Redis[] = []
  return {
    connect: () => {
      const client = new Redis({ port: server.port, host: HOST })
      clients.push(client)
      return client
    },
    ports: [server.port],
    isCluster: false,
    stop: async () => {
      for (const client of clients) client.disconnect()
      await server.stop()
    },
  }
}

const startCluster = async (): Promise<RedisServers> => {
  const cluster = await startRedisCluster()
  return {
    connect: () => cluster.connect(),
    ports: cluster.masters.map(({ port }) => port),
    isCluster: true,
    stop: () => cluster.stop(),
  }
}

/** Starts one server, or a cluster of three masters. */
export const startRedisServers = async (kind: string): Promise<RedisServers> => {
  if (kind === 'redis') return startServer()
  if (kind === 'redis-cluster') return startCluster()
  throw new Error(`--store must be redis or redis-cluster; received ${JSON.stringify(kind)}`)
}
