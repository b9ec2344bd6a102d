import autocannon from 'autocannon'
import type { ServerProcess } from './server-process.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

/** What came of some seconds of load. */
export type Loaded = {
  /** Requests answered a second. */
  readonly rate: number
  /** Milliseconds of the server's processor a request. */
  readonly work: number
  /** Milliseconds that all but one of a hundred requests took at the most. */
  readonly p99: number
  readonly requests: number
}

const CONNECTIONS = 100

/** The requests of all viewers in turn, in the way of the server. */
const requestsOf = ({ name, tokens }: ServerProcess, workload: Workload): autocannon.Request[] => {
  const { path, graphql } = WORKLOADS[workload]
  return tokens.map(token => {
    const headers = { authorization: `Bearer ${token}`, 'kithgraph-links': 'relative' }
    if (name !== 'mercurius') return { method: 'GET', path, headers }
    const json = { ...headers, 'content-type': 'application/json' }
    return { method: 'POST', path: '/graphql', headers: json, body: JSON.stringify({ query: graphql }) }
  })
}

/** The body that the first viewer is answered with. */
export const bodyOf = async (server: ServerProcess, workload: Workload): Promise<string> => {
  const [request] = requestsOf(server, workload)
  const { method = 'GET', path = '/', headers, body } = request ?? {}
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name, `${value}`]),
    ...(body !== undefined && { body: String(body) }),
  })
  if (!response.ok) throw new Error(`${server.name} answers ${response.status}: ${await response.text()}`)
  return response.text()
}

/** Loads a server by a hundred connections. @throws Error where a request fails. */
export const load = async (
  server: ServerProcess,
  workload: Workload,
  until: { readonly duration: number } | { readonly amount: number },
): Promise<Loaded> => {
  const before = await server.ask('work')
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections: CONNECTIONS,
    requests: requestsOf(server, workload),
    ...until,
  })
  const after = await server.ask('work')
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
