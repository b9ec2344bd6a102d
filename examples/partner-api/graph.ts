import { createGraph } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createJwtAuth } from 'kithgraph/jwt'
import { createMemoryStore } from 'kithgraph/memory'

/** Reads a setting of the service from an environment variable. */
const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name}: see README.md`)
  return value
}

const PEOPLE = [
  ['1', 'Ada', 'ada@mail.example'],
  ['2', 'Ben', 'ben@mail.example'],
  ['3', 'Cyd', 'cyd@mail.example'],
] as const

/**
 * Opens the graph of the people that partners may read. The graph accepts the issuer's tokens, and each
 * partner gets different ids.
 */
export const openGraph = async () => {
  const issuer = setting('ISSUER')
  const secret = setting('SECRET')
  const graph = createGraph(createMemoryStore(), {
    auth: createJwtAuth({ jwks: `${issuer}/keys`, issuer, audience: 'partner-api' }),
    appIds: createAppIds({ secrets: { 1: secret }, current: 1 }),
    secret,
  })
  await graph.write([
    ...PEOPLE.map(
      ([id, name, email]) =>
        ({ op: 'putNode', node: { id, type: 'user', fields: { name, email } } }) as const,
    ),
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: '2026-01-01' } },
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: '3', time: '2026-02-01' } },
  ])
  return graph
}
