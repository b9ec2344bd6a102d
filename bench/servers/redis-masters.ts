import { Cluster } from 'ioredis'
import { findFreePorts, HOST, startRedisProcess, waitUntil } from '../../test/helpers/redis.ts'
import type { Shutdown } from './shutdown.ts'

const SLOTS = 16_384

/** Starts a cluster of masters without replicas on the loopback interface, and connects a client. */
export const startMasters = async (count: number, shutdown: Shutdown): Promise<Cluster> => {
  const ports = await findFreePorts(2 * count)
  const masters = ports.slice(0, count).map((port, index) => {
    const busPort = ports[count + index] ?? 0
    // A server does not know its own address before it has connected to another server.
    const args = ['--cluster-port', `${busPort}`, '--cluster-announce-ip', HOST]
    const master = startRedisProcess(port, ['--cluster-enabled', 'yes', ...args])
    shutdown.add(() => master.stop())
    return { ...master, busPort }
  })
  const share = Math.ceil(SLOTS / count)
  for (const [index, { admin, port }] of masters.entries()) {
    await waitUntil(`the server on ${port} responds`, async () => (await admin.ping()) === 'PONG')
    await admin.cluster('SET-CONFIG-EPOCH', index + 1)
    await admin.call('cluster', ['ADDSLOTSRANGE', index * share, Math.min(SLOTS, (index + 1) * share) - 1])
  }
  const [first, ...others] = masters
  for (const { port, busPort } of others) await first?.admin.call('cluster', ['MEET', HOST, port, busPort])
  for (const { admin, port } of masters)
    await waitUntil(`the server on ${port} joins`, async () => {
      const info = String(await admin.cluster('INFO'))
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${count}`)
    })
  const cluster = new Cluster(ports.slice(0, count).map(port => ({ host: HOST, port })))
  shutdown.add(() => cluster.disconnect())
  return cluster
}
