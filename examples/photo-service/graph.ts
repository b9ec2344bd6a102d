import Database from 'better-sqlite3'
import { createGraph, type Graph } from 'kithgraph'
import { createSqliteStore } from 'kithgraph/sqlite'
import { schema } from './schema.ts'

/** The graph of this service. */
export type PhotoGraph = Graph<typeof schema>

/** The people. Ada and Ben are friends. Cyd has no friends yet. The example has no sign-up. */
export const PEOPLE = [
  { id: '1', name: 'Ada' },
  { id: '2', name: 'Ben' },
  { id: '3', name: 'Cyd' },
] as const

/** The secret must be the same at each start: a changed secret ends all sessions. */
const SECRET = process.env.SECRET ?? 'for this demo alone, and no service'

/** Opens the graph in a file, and writes the people. At the next start, this write changes nothing. */
export const openGraph = async (path: string): Promise<PhotoGraph> => {
  const database = new Database(path)
  const graph = createGraph(createSqliteStore(database), { schema, secret: SECRET })
  await graph.write([
    ...PEOPLE.map(
      ({ id, name }) => ({ op: 'putNode', node: { id, type: 'user', fields: { name } } }) as const,
    ),
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: '2026-01-01' } },
  ])
  return graph
}
