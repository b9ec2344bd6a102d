import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey } from '../../store/contract.ts'
import type { Finding, StoreInspector } from '../../store/inspection.ts'
import { type RunStatement, UNTIMED_OPTIONS } from './database.ts'
import {
  readCountPages,
  readEdgePages,
  readEdges,
  readEntryPages,
  readNodePages,
  readNodes,
  toKeyColumns,
} from './inspection-reads.ts'
import { createInspectionStatements, type InspectionStatements } from './inspection-statements.ts'
import { assertTables } from './migrations.ts'
import { PoolDatabase } from './pool-database.ts'
import type { PostgresPool } from './postgres-client.ts'
import { encodeText } from './stored-text.ts'
import { writeBatch } from './write-batch.ts'
import { retryOnConflict, WriteConflict } from './write-conflict.ts'
import { createWriteStatements, type WriteStatements } from './write-statements.ts'

/** The statements of a repair, and the transaction that runs them. */
type Repair = {
  readonly run: RunStatement
  readonly statements: InspectionStatements
  readonly writeStatements: WriteStatements
}

/**
 * Locks nodes against every write to their edges until the transaction ends. If some are missing, also
 * prevents that they are put. Returns the existing ones.
 */
const lockNodes = async (
  { run, statements }: Repair,
  ids: readonly NodeId[],
): Promise<ReadonlySet<NodeId>> => {
  const nodeCount = new Set(ids).size
  const isAnyMissing = (await run(statements.findNodes, [ids])).length < nodeCount
  if (isAnyMissing) await run(statements.lockTable, [])
  const locked = await run(statements.lockNodes, [ids])
  // A node was deleted in the meantime, and may have been put again.
  if (!isAnyMissing && locked.length < nodeCount) throw new WriteConflict()
  return new Set(locked.map(([id]) => id ?? ''))
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
      return (await run(statement, [finding.source, encodeText(finding.name)])).length > 0
    }
    default:
      return false
  }
}

/**
 * Creates the inspector of the tables of a store, through a `Pool` of `pg`. `close` does not end the pool.
 *
 * @throws Error if the schema has no tables of this version.
 */
export const createPostgresInspector = async (
  pool: PostgresPool,
  schema: string,
): Promise<StoreInspector> => {
  const database = new PoolDatabase(pool)
  await assertTables(database, schema)
  const statements = createInspectionStatements(schema)
  const writeStatements = createWriteStatements(schema)
  const run: RunStatement = (statement, parameters) => database.query(statement, parameters, UNTIMED_OPTIONS)
  return {
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
    repair: finding =>
      retryOnConflict(
        () =>
          database.transaction(
            transactionRun => repairFinding({ run: transactionRun, statements, writeStatements }, finding),
            UNTIMED_OPTIONS,
          ),
        UNTIMED_OPTIONS,
      ),
    close: () => undefined,
  }
}
