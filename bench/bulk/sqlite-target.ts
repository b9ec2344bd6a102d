import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import { type LoadTarget, putsOf } from './load-target.ts'

/** Prepared inserts into the same tables, all of a chunk in one transaction. */
export const createSqliteTarget = async (shutdown: Shutdown): Promise<LoadTarget> => {
  const folder = temporaryFolder(shutdown)
  const open = (file: string) => {
    const database = new Database(join(folder, file))
    shutdown.add(() => database.close())
    const store = createSqliteStore(database)
    store.open()
    return { database, store }
  }
  const ours = open('ours.db')
  const { database } = open('bulk.db')
  const putName = database.prepare('insert into names (text) values (?) on conflict do nothing')
  const idOfName = database.prepare<[string], { id: number }>('select id from names where text = ?')
  const putNode = database.prepare('insert into nodes values (?, ?, ?)')
  const putEdge = database.prepare('insert into edges values (?, ?, ?, ?, ?)')
  const bulk = database.transaction((mutations: Parameters<LoadTarget['bulk']>[0]) => {
    const { nodes, edges } = putsOf(mutations)
    for (const { id, type, fields } of nodes)
      putNode.run(BigInt(id), JSON.stringify(type), JSON.stringify(fields))
    const names = [...new Set(edges.map(({ name }) => JSON.stringify(name)))]
    for (const name of names) putName.run(name)
    const ids = new Map(names.map(name => [name, idOfName.get(name)?.id]))
    for (const { source, name, target, time, data } of edges)
      putEdge.run(
        BigInt(source),
        ids.get(JSON.stringify(name)),
        time,
        BigInt(target),
        data === undefined ? null : JSON.stringify(data),
      )
  })
  const bytesOf = ours.database.prepare<[], { bytes: number }>(
    'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
  )
  return {
    name: 'SQLite',
    store: ours.store,
    means: 'inserts in one transaction',
    bulk: async mutations => bulk(mutations),
    bytes: async () => bytesOf.get()?.bytes ?? 0,
  }
}
