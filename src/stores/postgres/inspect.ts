import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject } from '../../base/json.ts'
import type { EdgeKey, StoreReadOptions } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import type { Finding, SqlInspector } from '../../store/inspection.ts'
import { toSourceNumber } from '../source-number.ts'
import { toKeyColumns } from './conditional-writes.ts'
import { type RunStatement, UNTIMED_OPTIONS } from './database.ts'
import {
  readCountPages,
  readEdgePages,
  readEdges,
  readEntryPages,
  readNodePages,
  readNodes,
} from './inspection-reads.ts'
import {
  createInspectionStatements,
  type InspectionStatements,
  LIMIT_LOCK_WAITS,
} from './inspection-statements.ts'
import { assertTables } from './migrations.ts'
import { PoolDatabase } from './pool-database.ts'
import type { PostgresPool } from './postgres-client.ts'
import { encodeText } from './stored-text.ts'
import { writeBatch } from './write-batch.ts'
import { LOCK_TIMEOUT_CODE, retryOnConflict, WriteConflict } from './write-conflict.ts'
import { createWriteStatements, type WriteStatements } from './write-statements.ts'

/** The statements of a repair, and the transaction that runs them. */
type Repair = {
  readonly run: RunStatement
  readonly statements: InspectionStatements
  readonly writeStatements: WriteStatements
}

/**
 * Locks nodes against every write to their edges until the transaction ends. If some are missing, also
 * prevents that they are put. Returns the existing ones. The source of collections is no node: it exists always,
 * and the writers of an entry lock its target.
 */
const lockNodes = async (
  { run, statements }: Repair,
  ends: readonly NodeId[],
): Promise<ReadonlySet<NodeId>> => {
  const ids = ends.filter(id => id !== ROOT_ID)
  const nodeCount = new Set(ids).size
  const isAnyMissing = (await run(statements.findNodes, [ids])).length < nodeCount
  if (isAnyMissing) await run(statements.lockTable, [])
  const locked = await run(statements.lockNodes, [ids])
  // A node was deleted in the meantime, and may have been put again.
  if (!isAnyMissing && locked.length < nodeCount) throw new WriteConflict()
  return new Set([ROOT_ID, ...locked.map(([id]) => id ?? '')])
}

const addMirror = async (repair: Repair, edge: EdgeKey, mirror: EdgeKey): Promise<boolean> => {
  const { run, statements, writeStatements } = repair
  const nodes = await lockNodes(repair, [edge.source, edge.target])
  if (!nodes.has(edge.source) || !nodes.has(edge.target)) return false
  const [existing, other] = await readEdges(run, statements, [edge, mirror])
  if (existing === undefined || other !== undefined) return false
  const { time, data } = existing
  await writeBatch(run, writeStatements, [{ op: 'putEdge', edge: { ...mirror, time, data } }])
  return true
}

const removeDanglingEdge = async (repair: Repair, edge: EdgeKey): Promise<boolean> => {
  const { run, statements, writeStatements } = repair
  const nodes = await lockNodes(repair, [edge.source, edge.target])
  if (nodes.has(edge.source) && nodes.has(edge.target)) return false
  const [existing] = await readEdges(run, statements, [edge])
  if (existing === undefined) return false
  await run(writeStatements.deleteEdges, toKeyColumns([edge]))
  return true
}

/** The maximum time of statements that count whole lists, in milliseconds. Lists can have millions of edges. */
const COUNT_TIMEOUT_MS = 600_000

const createCountOptions = (): StoreReadOptions => ({
  ...UNTIMED_OPTIONS,
  deadline: Date.now() + COUNT_TIMEOUT_MS,
})

/** Repairs a finding after the nodes that it depends on are locked and everything is read again. */
const repairFinding = async (repair: Repair, finding: Finding): Promise<boolean> => {
  const { run, statements } = repair
  switch (finding.kind) {
    case 'halfMirror':
      return addMirror(repair, finding.edge, finding.mirror)
    case 'danglingEdge':
      return removeDanglingEdge(repair, finding.edge)
    case 'missingReverseEntry':
    case 'staleReverseEntry': {
      await lockNodes(repair, [finding.edge.source, finding.edge.target])
      const statement = finding.kind === 'missingReverseEntry' ? statements.addEntry : statements.removeEntry
      return (await run(statement, toKeyColumns([finding.edge]))).length > 0
    }
    case 'wrongCount':
    case 'emptyCount': {
      await lockNodes(repair, [finding.source])
      const statement = finding.kind === 'wrongCount' ? statements.correctCount : statements.removeCount
      return (await run(statement, [toSourceNumber(finding.source), encodeText(finding.name)])).length > 0
    }
    default:
      return false
  }
}

/** @throws Error if another transaction keeps a node or the table locked. */
const repairInTransaction = async (
  database: PoolDatabase,
  statements: InspectionStatements,
  writeStatements: WriteStatements,
  finding: Finding,
): Promise<boolean> => {
  const options = finding.kind === 'wrongCount' ? createCountOptions() : UNTIMED_OPTIONS
  const attempt = (): Promise<boolean> =>
    database.transaction(async run => {
      await run(LIMIT_LOCK_WAITS, [])
      return repairFinding({ run, statements, writeStatements }, finding)
    }, options)
  try {
    return await retryOnConflict(attempt, options)
  } catch (cause) {
    if (!isNonArrayObject(cause) || cause.code !== LOCK_TIMEOUT_CODE) throw cause
    throw new Error('another transaction keeps the nodes locked; repair the store again later', { cause })
  }
}

/**
 * Creates the inspector of the tables of a store, through a `Pool` of `pg`. `close` does not end the pool.
 *
 * @throws Error if the schema has no tables of this version.
 */
export const createPostgresInspector = async (pool: PostgresPool, schema: string): Promise<SqlInspector> => {
  const database = new PoolDatabase(pool)
  const ids = await assertTables(database, schema)
  const statements = createInspectionStatements(schema, ids)
  const writeStatements = createWriteStatements(schema, ids)
  const run: RunStatement = (statement, parameters) =>
    database.query(
      statement,
      parameters,
      statement === statements.counts ? createCountOptions() : UNTIMED_OPTIONS,
    )
  return {
    ids: ids.kind,
    scan: async function* () {
      yield* readNodePages(run, statements)
      yield* readEdgePages(run, statements)
      yield* readEntryPages(run, statements)
      yield* readCountPages(run, statements)
    },
    readNodes: ids => readNodes(run, statements, ids),
    readEdges: keys => readEdges(run, statements, keys),
    readMirror: async (edge, mirror) => {
      const [edgeState, mirrorState] = await readEdges(run, statements, [edge, mirror])
      return { edge: edgeState, mirror: mirrorState, isDeleted: false }
    },
    repair: finding => repairInTransaction(database, statements, writeStatements, finding),
    close: () => undefined,
  }
}
