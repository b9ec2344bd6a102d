import { Cluster, Redis } from 'ioredis'
import { HOST } from '../../../helpers/redis.ts'

/** Connects a process to the servers of its parent. `ports` are separated by commas. */
export const connectToRedis = (ports: string, isCluster: boolean): Redis | Cluster => {
  const nodes = ports.split(',').map(port => ({ host: HOST, port: Number(port) }))
  return isCluster ? new Cluster(nodes) : new Redis({ ...nodes[0] })
}
