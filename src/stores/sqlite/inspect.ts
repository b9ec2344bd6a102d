import type { EdgeKey } from '../../store/contract.ts'
import {
  EMPTY_PAGE,
  type Finding,
  type InspectionPage,
  PAGE_SIZE,
  type SqlInspector,
} from '../../store/inspection.ts'
import { divideIntoPages } from '../dump-lines.ts'
import { configureConnection, createTransactions, type SqliteDatabase } from './connection.ts'
import {
  type CountRow,
  type EdgeRow,
  type EdgeRowPosition,
  type InspectionQueries,
  prepareInspectionQueries,
} from './inspection-queries.ts'
import { assertMigrated } from './migrate.ts'
import { prepareRepair } from './repair.ts'

/** The number of counts in a page. Few, because counting the edges of long lists takes time. */
const COUNTS_PER_PAGE = 100

function* readNodePages(queries: InspectionQueries): Generator<InspectionPage> {
  let lastId = '0'
  for (;;) {
    const sizes = divideIntoPages(queries.readNodeSizes(lastId, PAGE_SIZE))
    if (sizes.length === 0) return
    for (const size of sizes) {
      const rows = queries.readNextNodes(lastId, size)
      lastId = rows.at(-1)?.id ?? lastId
      const findings = rows.flatMap(({ id, node }): Finding[] =>
        node === undefined ? [{ kind: 'damagedNode', id }] : [],
      )
      yield { ...EMPTY_PAGE, nodes: rows.flatMap(({ node }) => node ?? []), findings }
    }
  }
}

const isSameList = (a: EdgeRowPosition, b: EdgeRowPosition): boolean => a[0] === b[0] && a[1] === b[1]

/** Finds the lists of a page that have no stored count. Each list belongs to the page with its first edge. */
const findUncountedLists = (
  queries: InspectionQueries,
  rows: readonly EdgeRow[],
  previous: EdgeRowPosition,
): readonly Finding[] => {
  const starts = rows.filter(
    ({ position }, index) => !isSameList(position, rows[index - 1]?.position ?? previous),
  )
  const lists = starts.map(({ position: [sourceNumber, nameId] }) => ({ sourceNumber, nameId }))
  return queries
    .readCounts(lists)
    .flatMap(row => (row.stored === undefined ? (toCountFinding(row) ?? []) : []))
}

function* readEdgePages(queries: InspectionQueries): Generator<InspectionPage> {
  let lastPosition: EdgeRowPosition = ['0', 0, 0, '0']
  for (;;) {
    const sizes = divideIntoPages(queries.readEdgeSizes(lastPosition, PAGE_SIZE))
    if (sizes.length === 0) return
    for (const size of sizes) {
      const rows = queries.readNextEdges(lastPosition, size)
      const damaged = rows.flatMap(({ edge, isDamaged }): Finding[] =>
        isDamaged ? [{ kind: 'damagedEdge', edge }] : [],
      )
      const findings = [...damaged, ...findUncountedLists(queries, rows, lastPosition)]
      lastPosition = rows.at(-1)?.position ?? lastPosition
      yield { ...EMPTY_PAGE, edges: rows.flatMap(({ edge, isDamaged }) => (isDamaged ? [] : edge)), findings }
    }
  }
}

const toCountFinding = ({ source, name, stored, actual }: CountRow): Finding | undefined => {
  if (stored === 0 && actual === 0) return { kind: 'emptyCount', source, name }
  if ((stored ?? 0) === actual) return undefined
  return { kind: 'wrongCount', source, name, stored: stored ?? 0, actual }
}

function* readCountPages(queries: InspectionQueries): Generator<InspectionPage> {
  let last = { sourceNumber: '0', nameId: 0 }
  for (;;) {
    const rows = queries.readNextCounts(last.sourceNumber, last.nameId, COUNTS_PER_PAGE)
    if (rows.length === 0) return
    last = rows.at(-1) ?? last
    yield { ...EMPTY_PAGE, findings: rows.flatMap(row => toCountFinding(row) ?? []) }
  }
}

const toKeyText = ({ source, name, target }: EdgeKey): string => JSON.stringify([source, name, target])

/**
 * Creates the inspector of a database with the tables of a store. Changes nothing before a repair. `close`
 * closes the database.
 *
 * @throws Error if the database has no tables of this version.
 */
export const createSqliteInspector = (database: SqliteDatabase): SqlInspector => {
  configureConnection(database)
  const { runRead, runWrite } = createTransactions(database)
  const ids = runRead(() => assertMigrated(database))
  const queries = prepareInspectionQueries(database, ids)
  const readEdges = (keys: readonly EdgeKey[]) => {
    const edgesByKey = new Map(queries.readEdges(keys).map(({ edge }) => [toKeyText(edge), edge]))
    return keys.map(key => edgesByKey.get(toKeyText(key)))
  }
  const repair = prepareRepair(database, ids, readEdges)
  return {
    ids: ids.kind,
    scan: async function* () {
      yield* readNodePages(queries)
      yield* readEdgePages(queries)
      yield* readCountPages(queries)
    },
    readNodes: ids => {
      const nodesById = new Map(queries.readNodes(ids).map(({ id, node }) => [id, node]))
      return ids.map(id => nodesById.get(id))
    },
    readEdges,
    readMirror: (edge, mirror) => {
      const [edgeState, mirrorState] = readEdges([edge, mirror])
      return { edge: edgeState, mirror: mirrorState, isDeleted: false }
    },
    repair: finding => runWrite(() => repair(finding)),
    close: () => {
      database.close()
    },
  }
}
