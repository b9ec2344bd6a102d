import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import { type BulkLoader, keepPuts, type LoadTarget } from './load-target.ts'

type Chunk = Parameters<BulkLoader['load']>[0]

/**
 * Writes the names of edges to their table, and returns the records of a chunk as rows of the other tables.
 */
const prepareRows = (database: Database.Database) => {
  const putName = database.prepare('insert into names (text) values (?) on conflict do nothing')
  const idOfName = database.prepare<[string], { id: number }>('select id from names where text = ?')
  return (mutations: Chunk) => {
    const { nodes, edges } = keepPuts(mutations)
    const names = [...new Set(edges.map(({ name }) => JSON.stringify(name)))]
    for (const name of names) putName.run(name)
    const ids = new Map(names.map(name => [name, idOfName.get(name)?.id]))
    return {
      nodes: nodes.map(({ id, type, fields }) => [BigInt(id), JSON.stringify(type), JSON.stringify(fields)]),
      edges: edges.map(({ source, name, target, time, data }) => [
        BigInt(source),
        ids.get(JSON.stringify(name)),
        time,
        BigInt(target),
        data === undefined ? null : JSON.stringify(data),
      ]),
    }
  }
}

/** Loads with prepared inserts, one transaction per chunk. */
const insertInto = (database: Database.Database): BulkLoader => {
  const rowsOf = prepareRows(database)
  const putNode = database.prepare('insert into nodes values (?, ?, ?)')
  const putEdge = database.prepare('insert into edges values (?, ?, ?, ?, ?)')
  const load = database.transaction((mutations: Chunk) => {
    const { nodes, edges } = rowsOf(mutations)
    for (const row of nodes) putNode.run(row)
    for (const row of edges) putEdge.run(row)
  })
  return { name: 'inserts in one transaction', load: async mutations => load(mutations) }
}

/** Formats rows as CSV. CSV has no null, so an edge without data gets an empty text. */
const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  rows.map(row => `${row.map(cell => `"${`${cell ?? ''}`.replaceAll('"', '""')}"`).join(',')}\n`).join('')

/**
 * Loads with the `.import` command of the `sqlite3` tool. The tool cannot read a pipe, so it runs a command
 * and reads the output.
 */
const importInto = (database: Database.Database): BulkLoader => {
  const rowsOf = prepareRows(database)
  const importRows = async (table: string, rows: readonly (readonly unknown[])[]) => {
    if (rows.length === 0) return
    const args = [database.name, `.import --csv "|cat" ${table}`]
    const tool = spawn('sqlite3', args, { stdio: ['pipe', 'inherit', 'inherit'] })
    tool.stdin.end(toCsv(rows))
    const [code] = await once(tool, 'close')
    if (code !== 0) throw new Error(`sqlite3 .import ended with ${code}`)
  }
  const load = async (mutations: Chunk) => {
    const { nodes, edges } = rowsOf(mutations)
    await importRows('nodes', nodes)
    await importRows('edges', edges)
  }
  return { name: 'sqlite3 .import', load }
}

const hasTool = (): boolean => {
  const there = spawnSync('sqlite3', ['--version']).status === 0
  if (!there) process.stderr.write('*** SKIPPED, since sqlite3 is not installed: .import ***\n')
  return there
}

/** Creates the tables of the store in three files: one file for the store, and one for each loader. */
export const createSqliteTarget = async (shutdown: Shutdown): Promise<LoadTarget> => {
  const folder = temporaryFolder(shutdown)
  const open = (file: string) => {
    const database = new Database(join(folder, file))
    shutdown.add(() => database.close())
    const store = createSqliteStore(database)
    store.open()
    return { database, store }
  }
  const { database, store } = open('ours.db')
  const bytesOf = database.prepare<[], { bytes: number }>(
    'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
  )
  return {
    name: 'SQLite',
    store,
    bulkLoaders: [
      insertInto(open('inserts.db').database),
      ...(hasTool() ? [importInto(open('import.db').database)] : []),
    ],
    bytes: async () => ({ 'on disk': bytesOf.get()?.bytes ?? 0 }),
  }
}
