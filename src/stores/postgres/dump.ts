import type { NodeId } from '../../base/ids.ts'
import type { EdgeRecord } from '../../store/contract.ts'
import { isDerivedList } from '../../store/derived-entries.ts'
import { divideIntoPages, RECORDS_PER_SIZE_READ, toDumpLine, withAsyncRelease } from '../dump-lines.ts'
import { quoteIdentifier } from '../quote-identifier.ts'
import { type Database, type RunStatement, type Statement, UNTIMED_OPTIONS } from './database.ts'
import type { IdColumn } from './id-column.ts'
import { assertIdKind } from './migrations.ts'
import { decodeNode } from './read-request.ts'
import { decodeText } from './stored-text.ts'

/** A table of the dump. It is read in the order of its key. */
type DumpTable = {
  /** The name of the table, with the schema. */
  readonly table: string
  /** The columns of the key, with their types. */
  readonly key: readonly (readonly [column: string, type: string])[]
  /** The other columns. */
  readonly values: readonly string[]
  /** The SQL expression of the size of a row in bytes. */
  readonly size: string
  /** A key that is lower than the keys of all records of the dump. */
  readonly keyBeforeFirst: readonly string[]
  /** Returns undefined for a row that is not a part of the dump. */
  readonly toLine: (cells: readonly string[]) => string | undefined
}

const createNodeTable = (schema: string, ids: IdColumn): DumpTable => ({
  table: `${quoteIdentifier(schema)}.nodes`,
  key: [['id', ids.type]],
  values: ['type', 'fields'],
  size: 'octet_length(fields::text)',
  keyBeforeFirst: ['0'],
  toLine: ([id = '', type = '', fields = '']) => toDumpLine({ node: decodeNode(id, type, fields) }),
})

const decodeEdge = (
  source: NodeId,
  name: string,
  time: string,
  target: NodeId,
  data: string,
): EdgeRecord => ({
  source,
  name: decodeText(name),
  target,
  time: Number(time),
  data: data === '' ? undefined : JSON.parse(data),
})

const createEdgeTable = (schema: string, ids: IdColumn): DumpTable => ({
  table: `${quoteIdentifier(schema)}.edges`,
  key: [
    ['source', ids.type],
    ['name', 'text'],
    ['time', 'bigint'],
    ['target', ids.type],
  ],
  values: ['data'],
  size: 'coalesce(octet_length(data::text), 0)',
  // The source 0 has the entries of collections. Every id of either kind is at least 1.
  keyBeforeFirst: ['1', '', '-9000000000000000', '0'],
  toLine: ([source = '', name = '', time = '', target = '', data = '']) =>
    isDerivedList({ source, name })
      ? undefined
      : toDumpLine({ edge: decodeEdge(source, name, time, target, data) }),
})

/**
 * Creates a statement that selects rows after a key. Its last parameter is the maximum number of rows. The
 * statement has no name, so that Postgres plans it for the current size of the table.
 */
const createPageStatement = ({ table, key }: DumpTable, selected: string): Statement => {
  const columns = key.map(([column]) => column).join(', ')
  const parameters = key.map(([, type], index) => `$${index + 1}::${type}`).join(', ')
  return {
    text: `
select ${selected} from ${table} where (${columns}) > (${parameters})
order by ${columns} limit $${key.length + 1}::int`,
  }
}

/** Reads page after page, each after the last key of the previous page. */
async function* readLines(run: RunStatement, table: DumpTable): AsyncGenerator<string> {
  const { key, values, size, keyBeforeFirst, toLine } = table
  const sizesStatement = createPageStatement(table, size)
  const columns = [...key.map(([column]) => column), ...values].join(', ')
  const recordsStatement = createPageStatement(table, columns)
  let lastKey = keyBeforeFirst
  for (;;) {
    const sizes = await run(sizesStatement, [...lastKey, `${RECORDS_PER_SIZE_READ}`])
    if (sizes.length === 0) return
    for (const count of divideIntoPages(sizes.map(([cell]) => Number(cell)))) {
      for (const row of await run(recordsStatement, [...lastKey, `${count}`])) {
        // JSON is never empty text, so empty text can stand for null.
        const cells = row.map(cell => cell ?? '')
        lastKey = cells.slice(0, key.length)
        const line = toLine(cells)
        if (line !== undefined) yield line
      }
    }
  }
}

async function* readAllLines(run: RunStatement, schema: string, ids: IdColumn): AsyncGenerator<string> {
  yield* readLines(run, createNodeTable(schema, ids))
  yield* readLines(run, createEdgeTable(schema, ids))
}

/**
 * Returns all nodes, then all edges, as lines of NDJSON. If the database has snapshots, all lines come from
 * one snapshot.
 *
 * @throws Error if the schema has ids of the other kind.
 */
export const createDump = async (
  database: Database,
  schema: string,
  ids: IdColumn,
): Promise<AsyncIterable<string>> => {
  // Programs that move data read a dump before any graph has opened the store.
  await assertIdKind(database, schema, ids)
  const snapshot = database.capabilities.snapshots ? await database.openSnapshot() : undefined
  const run: RunStatement = (statement, parameters) =>
    (snapshot ?? database).query(statement, parameters, UNTIMED_OPTIONS)
  return withAsyncRelease(readAllLines(run, schema, ids), async () => snapshot?.close())
}
