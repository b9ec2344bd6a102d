import autocannon from 'autocannon'
import type { ServerProcess } from './server-process.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

/** The result of sending requests for a few seconds. */
export type LoadResult = {
  /** Completed requests per second. */
  readonly rate: number
  /** The processor time of the server per request, in milliseconds. */
  readonly work: number
  /** The 99th percentile of the latency, in milliseconds. */
  readonly p99: number
  readonly requests: number
}

const CONNECTIONS = 100

/** Creates one request for each viewer, in the form that the server expects. */
const createRequests = ({ name, tokens }: ServerProcess, workload: Workload): autocannon.Request[] => {
  const { path, graphql } = WORKLOADS[workload]
  return tokens.map(token => {
    const headers = { authorization: `Bearer ${token}`, 'kithgraph-links': 'relative' }
    if (name !== 'mercurius') return { method: 'GET', path, headers }
    const json = { ...headers, 'content-type': 'application/json' }
    return { method: 'POST', path: '/graphql', headers: json, body: JSON.stringify({ query: graphql }) }
  })
}

/** Returns the body of the response to the first viewer. */
export const readBody = async (server: ServerProcess, workload: Workload): Promise<string> => {
  const [request] = createRequests(server, workload)
  const { method = 'GET', path = '/', headers, body } = request ?? {}
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name, `${value}`]),
    ...(body !== undefined && { body: String(body) }),
  })
  if (!response.ok)
    throw new Error(`${server.name} responds with status ${response.status}: ${await response.text()}`)
  return response.text()
}

/**
 * Sends requests to a server over a hundred connections.
 *
 * @throws Error if a request fails.
 */
export const load = async (
  server: ServerProcess,
  workload: Workload,
  until: { readonly duration: number } | { readonly amount: number },
): Promise<LoadResult> => {
  const before = await server.readUsage('work')
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections: CONNECTIONS,
    requests: createRequests(server, workload),
    ...until,
  })
  const after = await server.readUsage('work')
  const failed = result.errors + result.non2xx
  if (failed > 0) throw new Error(`${server.name}: ${failed} requests failed`)
  const requests = result['2xx']
  return {
    rate: requests / result.duration,
    work: (after - before) / requests,
    p99: result.latency.p99,
    requests,
  }
}
