import type { Call } from '../../src/execute/call.ts'
import { ENGINE, engineOf } from '../../src/execute/engine.ts'
import type { EdgeQuestion } from '../../src/execute/has-edge.ts'
import type { Host } from '../../src/execute/host.ts'
import { HostedReads } from '../../src/execute/hosted-reads.ts'
import type { Prober } from './probes.ts'

const HOST: Host = {
  linkBase: '',
  linkQuery: '',
  silhouette: undefined,
  deadline: undefined,
  meet: () => undefined,
  charge: () => undefined,
  chargeScan: () => undefined,
  wrote: () => undefined,
}

/** What a handler answers to `/{id}/{edge}/{target}`; undefined for a graph that a test has put together. */
export const entryOf = async (
  { graph, session }: Prober,
  call: Omit<Call & EdgeQuestion, 'type'>,
): Promise<{ readonly data: readonly { readonly id: string }[] } | undefined> => {
  if (!(ENGINE in graph)) return undefined
  const reads = new HostedReads(engineOf('entryOf', graph), HOST)
  return JSON.parse(await reads.entry(session, { ...call, type: undefined }))
}
