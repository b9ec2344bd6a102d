import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject, type JsonObject } from '../../base/json.ts'
import type { EdgeKey, NodeRecord } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import type { EdgeListKey, InspectedEdge } from '../../store/inspection.ts'
import { toSource, toSourceNumber } from '../source-number.ts'
import { prepareJsonQuery, type SqliteDatabase, type SqliteValue } from './connection.ts'
import type { SqliteIdColumn } from './id-column.ts'

/**
 * Prepares a query whose `result` is one JSON array of rows. Stored JSON is passed as text and parsed row by
 * row, so that a damaged row does not damage the others.
 */
const prepareRowQuery = <TRow>(
  database: SqliteDatabase,
  sql: string,
): ((...values: SqliteValue[]) => readonly TRow[]) => {
  const query = prepareJsonQuery<readonly TRow[]>(database, sql)
  return (...values) => query(...values)[0] ?? []
}

const NODE_COLUMNS = 'cast(node.id as text), node.type, node.fields'

const NEXT_NODES_SQL = 'select * from nodes where id > ? order by id limit ?'
const NODE_SIZES_SQL = `select json_group_array(length(fields)) as result from (${NEXT_NODES_SQL})`
const NODES_SQL = `select json_group_array(json_array(${NODE_COLUMNS})) as result from (${NEXT_NODES_SQL}) node`
const NODES_BY_ID_SQL = `
  select json_group_array(json_array(${NODE_COLUMNS})) as result
  from json_each(?) requested cross join nodes node on node.id = requested.value`

const EDGE_COLUMNS = `
  cast(e.source as text), e.name, (select text from names where id = e.name), e.time, cast(e.target as text), e.data,
  (select type from nodes where id = e.source), (select type from nodes where id = e.target)`

const NEXT_EDGES_SQL = `
  select * from edges where (source, name, time, target) > (?, ?, ?, ?)
  order by source, name, time, target limit ?`
const EDGE_SIZES_SQL = `select json_group_array(coalesce(length(data), 0)) as result from (${NEXT_EDGES_SQL})`
const EDGES_SQL = `select json_group_array(json_array(${EDGE_COLUMNS})) as result from (${NEXT_EDGES_SQL}) e`
const EDGES_BY_KEY_SQL = `
  select json_group_array(json_array(${EDGE_COLUMNS})) as result
  from json_each(?) requested cross join edges e
    on e.target = requested.value ->> 2 and e.source = requested.value ->> 0
    and e.name = (select id from names where text = requested.value ->> 1)`

const ACTUAL_COUNT_SQL = '(select count(*) from edges where source = c.source and name = c.name)'
const COUNT_COLUMNS = `cast(c.source as text), c.name, (select text from names where id = c.name), c.total`
const COUNTS_SQL = `
  select json_group_array(json_array(${COUNT_COLUMNS}, ${ACTUAL_COUNT_SQL})) as result
  from (select * from counts where (source, name) > (?, ?) order by source, name limit ?) c`
/** Selects lists that have edges or a count. A list without a row in the table of counts has the count 0. */
const COUNTS_BY_KEY_SQL = `
  select json_group_array(json_array(${COUNT_COLUMNS}, ${ACTUAL_COUNT_SQL})) as result
  from (
    select list.value ->> 0 as source, list.value ->> 1 as name,
      (select total from counts where source = list.value ->> 0 and name = list.value ->> 1) as total
    from json_each(?) list
  ) c`

type NodeCells = readonly [id: NodeId, type: string, fields: string]

type EdgeCells = readonly [
  sourceNumber: string,
  nameId: number,
  name: string | null,
  time: number,
  target: NodeId,
  data: string | null,
  sourceType: string | null,
  targetType: string | null,
]

type CountCells = readonly [
  sourceNumber: string,
  nameId: number,
  name: string | null,
  stored: number | null,
  actual: number,
]

/** Parses stored JSON. Returns undefined if another program has damaged it. */
const parseStored = (text: string | null): unknown => {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const parseText = (text: string | null): string | undefined => {
  const value = parseStored(text)
  return typeof value === 'string' ? value : undefined
}

/** A node. `node` is undefined if its record is damaged. */
export type NodeRow = { readonly id: NodeId; readonly node: NodeRecord | undefined }

const isJsonObject = (value: unknown): value is JsonObject => isNonArrayObject(value)

const decodeNodeRow = ([id, typeText, fieldsText]: NodeCells): NodeRow => {
  const [type, fields] = [parseText(typeText), parseStored(fieldsText)]
  return { id, node: type !== undefined && isJsonObject(fields) ? { id, type, fields } : undefined }
}

/** The position after which a page of edges begins. The source is a number of the table. */
export type EdgeRowPosition = readonly [source: string, nameId: number, time: number, target: NodeId]

/** An edge. If its data or name is damaged, `edge` has no data, or the number of its name. */
export type EdgeRow = {
  readonly position: EdgeRowPosition
  readonly edge: InspectedEdge
  readonly isDamaged: boolean
}

/** A type whose record is damaged is an unknown type, because the node exists. */
const parseType = (text: string | null): string | undefined =>
  text === null ? undefined : (parseText(text) ?? '')

const decodeEdgeRow = (cells: EdgeCells): EdgeRow => {
  const [sourceNumber, nameId, nameText, time, target, dataText, sourceType, targetType] = cells
  const source = toSource(sourceNumber)
  const name = parseText(nameText)
  const data = parseStored(dataText)
  const edge: InspectedEdge = {
    source,
    name: name ?? `${nameId}`,
    target,
    time,
    data: isJsonObject(data) ? data : undefined,
    sourceType: source === ROOT_ID ? ROOT_ID : parseType(sourceType),
    targetType: parseType(targetType),
  }
  const isDamaged = name === undefined || (dataText !== null && edge.data === undefined)
  return { position: [sourceNumber, nameId, time, target], edge, isDamaged }
}

/** The stored count of a list, and its number of edges. `stored` is undefined if there is no row. */
export type CountRow = EdgeListKey & {
  readonly sourceNumber: string
  readonly nameId: number
  readonly stored: number | undefined
  readonly actual: number
}

const decodeCountRow = ([sourceNumber, nameId, nameText, stored, actual]: CountCells): CountRow => ({
  source: toSource(sourceNumber),
  sourceNumber,
  nameId,
  name: parseText(nameText) ?? `${nameId}`,
  stored: stored ?? undefined,
  actual,
})

const toPositionParameters = (
  { toParameter }: SqliteIdColumn,
  [sourceNumber, nameId, time, target]: EdgeRowPosition,
): SqliteValue[] => [toParameter(sourceNumber), nameId, time, toParameter(target)]

/** Prepares the queries of an inspection. Each query reads one state of the database. */
export const prepareInspectionQueries = (database: SqliteDatabase, ids: SqliteIdColumn) => {
  const { toParameter, toJsonArray } = ids
  const toParameters = (position: EdgeRowPosition): SqliteValue[] => toPositionParameters(ids, position)
  const [nodeSizes, edgeSizes] = [NODE_SIZES_SQL, EDGE_SIZES_SQL].map(sql =>
    prepareRowQuery<number>(database, sql),
  )
  const nodes = prepareRowQuery<NodeCells>(database, NODES_SQL)
  const nodesById = prepareRowQuery<NodeCells>(database, NODES_BY_ID_SQL)
  const edges = prepareRowQuery<EdgeCells>(database, EDGES_SQL)
  const edgesByKey = prepareRowQuery<EdgeCells>(database, EDGES_BY_KEY_SQL)
  const counts = prepareRowQuery<CountCells>(database, COUNTS_SQL)
  const countsByKey = prepareRowQuery<CountCells>(database, COUNTS_BY_KEY_SQL)
  return {
    readNodeSizes: (after: NodeId, limit: number) => nodeSizes?.(toParameter(after), limit) ?? [],
    readNextNodes: (after: NodeId, limit: number) => nodes(toParameter(after), limit).map(decodeNodeRow),
    readNodes: (ids: readonly NodeId[]) => nodesById(toJsonArray(ids)).map(decodeNodeRow),
    readEdgeSizes: (after: EdgeRowPosition, limit: number) =>
      edgeSizes?.(...toParameters(after), limit) ?? [],
    readNextEdges: (after: EdgeRowPosition, limit: number) =>
      edges(...toParameters(after), limit).map(decodeEdgeRow),
    readEdges: (keys: readonly EdgeKey[]) => {
      const parameter = keys.map(({ source, name, target }) => [
        toSourceNumber(source),
        JSON.stringify(name),
        target,
      ])
      return edgesByKey(JSON.stringify(parameter)).map(decodeEdgeRow)
    },
    readNextCounts: (sourceNumber: string, nameId: number, limit: number) =>
      counts(toParameter(sourceNumber), nameId, limit).map(decodeCountRow),
    readCounts: (lists: readonly Pick<CountRow, 'sourceNumber' | 'nameId'>[]) =>
      countsByKey(JSON.stringify(lists.map(({ sourceNumber, nameId }) => [sourceNumber, nameId]))).map(
        decodeCountRow,
      ),
  }
}

export type InspectionQueries = ReturnType<typeof prepareInspectionQueries>
