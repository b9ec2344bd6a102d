import type { NodeId } from '../../base/ids.ts'
import type { EdgeRecord } from '../../store/contract.ts'
import { toDumpLine, withAsyncRelease } from '../dump-lines.ts'
import {
  type Database,
  quoteIdentifier,
  type RunStatement,
  type Statement,
  UNTIMED_OPTIONS,
} from './database.ts'
import { decodeNode } from './read-request.ts'
import { decodeText } from './stored-text.ts'

/** Records per statement: enough to make round trips insignificant, and few enough for memory. */
const PAGE_SIZE = 1000

/** A table, read in the order of a key, which its rows begin with. */
type DumpTable = {
  /** Without a name, so that it is planned for the current size of the table. */
  readonly pageStatement: Statement
  /** Lower than all existing keys. */
  readonly keyBeforeFirst: readonly string[]
  readonly toLine: (cells: readonly string[]) => string
}

const createNodeTable = (schema: string): DumpTable => ({
  pageStatement: {
    text: `
select id, type, fields from ${quoteIdentifier(schema)}.nodes
where id > $1::bigint order by id limit ${PAGE_SIZE}`,
  },
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

const createEdgeTable = (schema: string): DumpTable => ({
  pageStatement: {
    text: `
select source, name, time, target, data from ${quoteIdentifier(schema)}.edges
where (source, name, time, target) > ($1::bigint, $2::text, $3::bigint, $4::bigint)
order by source, name, time, target limit ${PAGE_SIZE}`,
  },
  keyBeforeFirst: ['0', '', '0', '0'],
  toLine: ([source = '', name = '', time = '', target = '', data = '']) =>
    toDumpLine({ edge: decodeEdge(source, name, time, target, data) }),
})

/** Reads page after page, each from the last key of the one before. */
async function* readLines(
  run: RunStatement,
  { pageStatement, keyBeforeFirst, toLine }: DumpTable,
): AsyncGenerator<string> {
  let previousKey = keyBeforeFirst
  for (;;) {
    const rows = await run(pageStatement, [...previousKey])
    // JSON is never empty: an empty cell is null.
    const textRows = rows.map(row => row.map(cell => cell ?? ''))
    for (const row of textRows) yield toLine(row)
    const lastRow = textRows.at(-1)
    if (lastRow === undefined) return
    previousKey = lastRow.slice(0, keyBeforeFirst.length)
  }
}

async function* readAllLines(run: RunStatement, schema: string): AsyncGenerator<string> {
  yield* readLines(run, createNodeTable(schema))
  yield* readLines(run, createEdgeTable(schema))
}

/** Returns all nodes, then all edges, as lines of NDJSON, in one state if the database has snapshots. */
export const createDump = async (database: Database, schema: string): Promise<AsyncIterable<string>> => {
  const snapshot = database.capabilities.snapshots ? await database.openSnapshot() : undefined
  const run: RunStatement = (statement, parameters) =>
    (snapshot ?? database).query(statement, parameters, UNTIMED_OPTIONS)
  return withAsyncRelease(readAllLines(run, schema), async () => snapshot?.close())
}
