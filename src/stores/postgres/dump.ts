import type { NodeId } from '../../base/ids.ts'
import type { EdgeRecord } from '../../store/contract.ts'
import { dumpLine } from '../dump/dump-line.ts'
import { heldAsyncLines } from '../dump/held-lines.ts'
import { type Database, PATIENT, type Run, type Statement } from './database.ts'
import { nodeOf } from './read-wave.ts'
import { quoteIdentifier } from './statements.ts'
import { fromStored } from './stored-text.ts'

/** Records a statement: enough that round trips count for little, and few enough to hold. */
const PAGE = 1000

/** A table, read in the order of a key, with which its rows begin. */
type Table = {
  /** Without a name, so that it is planned for the size that the table has by now. */
  readonly page: Statement
  /** Below all keys that there are. */
  readonly first: readonly string[]
  readonly lineOf: (cells: readonly string[]) => string
}

const nodesOf = (schema: string): Table => ({
  page: {
    text: `
select id, type, fields from ${quoteIdentifier(schema)}.nodes
where id > $1::bigint order by id limit ${PAGE}`,
  },
  first: ['0'],
  lineOf: ([id = '', type = '', fields = '']) => dumpLine({ node: nodeOf(id, type, fields) }),
})

const edgeOf = (source: NodeId, name: string, time: string, target: NodeId, data: string): EdgeRecord => ({
  source,
  name: fromStored(name),
  target,
  time: Number(time),
  data: data === '' ? undefined : JSON.parse(data),
})

const edgesOf = (schema: string): Table => ({
  page: {
    text: `
select source, name, time, target, data from ${quoteIdentifier(schema)}.edges
where (source, name, time, target) > ($1::bigint, $2::text, $3::bigint, $4::bigint)
order by source, name, time, target limit ${PAGE}`,
  },
  first: ['0', '', '0', '0'],
  lineOf: ([source = '', name = '', time = '', target = '', data = '']) =>
    dumpLine({ edge: edgeOf(source, name, time, target, data) }),
})

/** Reads pages until there is none, each from the key where the last one ended. */
async function* linesOf(run: Run, { page, first, lineOf }: Table): AsyncGenerator<string> {
  let key = first
  for (;;) {
    const rows = await run(page, [...key])
    // JSON is never empty: an empty cell is one that is null.
    const cells = rows.map(row => row.map(cell => cell ?? ''))
    for (const row of cells) yield lineOf(row)
    const last = cells.at(-1)
    if (last === undefined) return
    key = last.slice(0, first.length)
  }
}

async function* allLines(run: Run, schema: string): AsyncGenerator<string> {
  yield* linesOf(run, nodesOf(schema))
  yield* linesOf(run, edgesOf(schema))
}

/** All nodes, then all edges, as lines of NDJSON, of one moment where the database has views. */
export const dumpOf = async (database: Database, schema: string): Promise<AsyncIterable<string>> => {
  const view = database.capabilities.snapshots ? await database.view() : undefined
  const run: Run = (statement, parameters) => (view ?? database).query(statement, parameters, PATIENT)
  return heldAsyncLines(allLines(run, schema), async () => view?.close())
}
