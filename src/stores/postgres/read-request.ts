import type { Awaitable } from '../../base/awaitable.ts'
import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { comparePositions } from '../../store/compare-positions.ts'
import type {
  CompletionFlag,
  EdgeCheck,
  EdgePosition,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  ReadAhead,
  StoreReadRequest,
  StoreReadResult,
  TokenRecord,
} from '../../store/contract.ts'
import { assertDigest, restoreTokenRecord } from '../../store/token-record.ts'
import { toSourceNumber } from '../source-number.ts'
import { decodeAhead } from './ahead-results.ts'
import type { Row, RunStatement } from './database.ts'
import { type RangeRows, toRangeResult } from './range-rows.ts'
import type { ReadStatements } from './read-statements.ts'
import { decodeText, encodeText } from './stored-text.ts'

/** A position before all edges, because no id is 0. */
const FIRST_POSITION: EdgePosition = { time: -8.64e15, target: '0' }
/** A position after all edges, one millisecond after the latest time. */
const LAST_POSITION: EdgePosition = { time: 8.64e15 + 1, target: '0' }

const maxPosition = (a: EdgePosition, b: EdgePosition): EdgePosition => (comparePositions(a, b) < 0 ? b : a)
const minPosition = (a: EdgePosition, b: EdgePosition): EdgePosition => (comparePositions(a, b) < 0 ? a : b)

/** Converts a range to the parameters of its statement: the exclusive bounds of its part of the list. */
const toRangeParameters = ({ source, name, direction, from, minTime, maxTime, limit, count }: EdgeRange) => {
  const minTimePosition = minTime === undefined ? FIRST_POSITION : { time: minTime, target: '0' }
  const maxTimePosition = maxTime === undefined ? LAST_POSITION : { time: maxTime + 1, target: '0' }
  const lowBound =
    direction === 'oldest' && from !== undefined ? maxPosition(minTimePosition, from) : minTimePosition
  const highBound =
    direction === 'newest' && from !== undefined ? minPosition(maxTimePosition, from) : maxTimePosition
  return {
    source: toSourceNumber(source),
    name: encodeText(name),
    newest: direction === 'newest',
    low_time: lowBound.time,
    low_target: lowBound.target,
    high_time: highBound.time,
    high_target: highBound.target,
    // One more row shows whether the range has more entries. With a limit of 0, only the count is read.
    row_limit: limit === 0 ? 0 : limit + 1,
    with_count: count,
  }
}

/** Creates a node from the columns of its row. */
export const decodeNode = (id: NodeId, type: string, fields: string): NodeRecord => ({
  id,
  type: decodeText(type),
  fields: JSON.parse(fields),
})

/** Reads results for keys. Creates no promise without keys, because most reads have only one part. */
const readIfAny = <TKey, TResult>(
  keys: readonly TKey[],
  read: (keys: readonly TKey[]) => Promise<readonly TResult[]>,
): Awaitable<readonly TResult[]> => (keys.length === 0 ? [] : read(keys))

const runNodesStatement = (
  run: RunStatement,
  { selectNode, selectNodes, nodeAhead, nodesAhead }: ReadStatements,
  ids: readonly NodeId[],
  ahead: ReadAhead | undefined,
): Promise<readonly Row[]> => {
  const [onlyId = '', ...otherIds] = ids
  const isOne = otherIds.length === 0
  if (ahead === undefined) return isOne ? run(selectNode, [onlyId]) : run(selectNodes, [ids])
  const { statement, values } = (isOne ? nodeAhead : nodesAhead).get(ahead)
  return run(statement, [isOne ? onlyId : JSON.stringify(ids.map(id => ({ id }))), ...values])
}

/** Reads nodes with the same hint. */
const readNodes = async (
  run: RunStatement,
  statements: ReadStatements,
  ids: readonly NodeId[],
  ahead: ReadAhead | undefined,
): Promise<(NodeRecord | undefined)[]> => {
  const rows = await runNodesStatement(run, statements, ids, ahead)
  const nodesById = new Map<NodeId, NodeRecord>()
  for (const [id, type, fields, results] of rows)
    if (id && type != null && fields)
      nodesById.set(id, decodeAhead(decodeNode(id, type, fields), ahead, results))
  return ids.map(id => nodesById.get(id))
}

/**
 * Reads keys in groups with the same hint, one statement for each group. Returns the results in the order of the
 * keys.
 */
const readByHint = async <TKey, TResult>(
  keys: readonly TKey[],
  hintOf: (key: TKey, index: number) => ReadAhead | undefined,
  readGroup: (group: readonly TKey[], ahead: ReadAhead | undefined) => Promise<readonly TResult[]>,
): Promise<readonly TResult[]> => {
  const hints = keys.map(hintOf)
  const distinctHints = [...new Set(hints)]
  const [onlyHint] = distinctHints
  if (distinctHints.length < 2) return readGroup(keys, onlyHint)
  const results: TResult[] = []
  const readKeys = async (hint: ReadAhead | undefined): Promise<void> => {
    const indexes = keys.flatMap((_, index) => (hints[index] === hint ? [index] : []))
    const group = await readGroup(
      keys.filter((_, index) => hints[index] === hint),
      hint,
    )
    for (const [position, result] of group.entries()) results[indexes[position] ?? 0] = result
  }
  await Promise.all(distinctHints.map(readKeys))
  return results
}

const toCheckParameters = ({ source, name, target }: EdgeCheck) => ({
  source: toSourceNumber(source),
  name: encodeText(name),
  target,
})

const decodeData = (data: Row[number] | undefined): JsonObject | undefined =>
  data == null ? undefined : JSON.parse(data)

const readChecksWithData = async (
  run: RunStatement,
  statements: ReadStatements,
  checks: readonly EdgeCheck[],
): Promise<readonly (boolean | EdgeRecord)[]> => {
  const keys = checks.map(check => ({ ...toCheckParameters(check), data: check.data === true }))
  const rows = await run(statements.selectChecksWithData, [JSON.stringify(keys)])
  const rowsByIndex = new Map(rows.map(row => [Number(row[0]) - 1, row]))
  return checks.map(({ source, name, target, data }, index) => {
    const row = rowsByIndex.get(index)
    if (row === undefined) return false
    return data !== true || { source, name, target, time: Number(row[1]), data: decodeData(row[2]) }
  })
}

const readChecks = async (
  run: RunStatement,
  statements: ReadStatements,
  checks: readonly EdgeCheck[],
): Promise<readonly (boolean | EdgeRecord)[]> => {
  if (checks.some(({ data }) => data === true)) return readChecksWithData(run, statements, checks)
  const keys = checks.map(toCheckParameters)
  const rows = await run(statements.selectChecks, [JSON.stringify(keys)])
  const existingIndexes = new Set(rows.map(([ordinal]) => Number(ordinal) - 1))
  return checks.map((_, index) => existingIndexes.has(index))
}

const readTokens = async (run: RunStatement, statements: ReadStatements, digests: readonly string[]) => {
  for (const digest of digests) assertDigest('store.read', digest)
  const rows = await run(statements.selectTokens, [JSON.stringify(digests.map(encodeText))])
  const tokensByDigest = new Map<string, TokenRecord>()
  for (const [digest, record] of rows)
    if (digest != null && record)
      tokensByDigest.set(decodeText(digest), restoreTokenRecord(JSON.parse(record)))
  return digests.map(digest => tokensByDigest.get(digest))
}

const readFlags = async (run: RunStatement, statements: ReadStatements, flags: readonly CompletionFlag[]) => {
  const rows = await run(statements.selectFlags, [flags.map(({ name }) => encodeText(name))])
  const found = new Map(rows.map(([name, value]) => [name, value]))
  // The row without a name says that there is no node.
  return flags.map(({ name, value }) => found.has(null) || found.get(encodeText(name)) === encodeText(value))
}

const addRow = (
  rangeRows: RangeRows,
  ahead: ReadAhead | undefined,
  [, target, time, data, type, fields, total, results]: Row,
): void => {
  if (total != null) rangeRows.total = Number(total)
  if (!target || !time || type == null || !fields) return
  const node = decodeAhead(decodeNode(target, type, fields), ahead, results)
  rangeRows.entries.push({ target, time: Number(time), data: decodeData(data), node })
}

/** Reads ranges with the same hint. */
const readRanges = async (
  run: RunStatement,
  statements: ReadStatements,
  ranges: readonly EdgeRange[],
  ahead: ReadAhead | undefined,
): Promise<readonly RangeResult[]> => {
  const aheadStatement = ahead && statements.rangesAhead.get(ahead)
  const requested = JSON.stringify(ranges.map(toRangeParameters))
  const rows =
    aheadStatement === undefined
      ? await run(statements.selectRanges, [requested])
      : await run(aheadStatement.statement, [requested, ...aheadStatement.values])
  const rowsByRange = ranges.map((): RangeRows => ({ entries: [], total: undefined }))
  for (const row of rows) {
    const rangeRows = rowsByRange[Number(row[0]) - 1]
    if (rangeRows !== undefined) addRow(rangeRows, ahead, row)
  }
  return ranges.map((range, index) =>
    toRangeResult(range, rowsByRange[index] ?? { entries: [], total: undefined }),
  )
}

/**
 * Executes a read request with one statement for each part that is not empty, and for each hint. Runs all
 * statements at once.
 */
export const executeRead = async (
  run: RunStatement,
  statements: ReadStatements,
  request: StoreReadRequest,
): Promise<StoreReadResult> => {
  const [nodes, ranges, checks, tokens, flags] = await Promise.all([
    readIfAny(request.nodes, nodes =>
      readByHint(
        nodes,
        (_, index) => request.nodesAhead?.[index],
        (group, ahead) => readNodes(run, statements, group, ahead),
      ),
    ),
    readIfAny(request.ranges, ranges =>
      readByHint(
        ranges,
        range => range.ahead,
        (group, ahead) => readRanges(run, statements, group, ahead),
      ),
    ),
    readIfAny(request.checks, checks => readChecks(run, statements, checks)),
    readIfAny(request.tokens, digests => readTokens(run, statements, digests)),
    request.flags && readFlags(run, statements, request.flags),
  ])
  const result = { nodes, ranges, checks, tokens }
  return flags === undefined ? result : { ...result, flags }
}
