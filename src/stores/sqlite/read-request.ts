import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject, type JsonObject } from '../../base/json.ts'
import type {
  CompletionFlag,
  EdgeCheck,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  StoreReadRequest,
  StoreReadResult,
  TokenRecord,
} from '../../store/contract.ts'
import { assertDigest, restoreTokenRecord } from '../../store/token-record.ts'
import { toSourceNumber } from '../source-number.ts'
import { prepareJsonQuery, type SqliteDatabase } from './connection.ts'
import type { SqliteIdColumn } from './id-column.ts'
import { prepareRangeQuery } from './range-queries.ts'

/** A join is faster than a subselect, and numeric ids are faster than ids as text. */
const NODES_SQL = `
  select group_concat(coalesce(n.fields, 'null')) || ',' || group_concat(coalesce(n.type, 'null')) as result
  from json_each(?) requested left join nodes n on n.id = requested.value`

const CHECKS_SQL = `
  select group_concat(exists (
    select 1 from edges
    where target = requested.value ->> 2 and source = requested.value ->> 0
      and name = (select id from names where text = requested.value ->> 1)
  )) as result
  from json_each(?) requested`

/** Reads the time and the data of each edge. A check without data has a 0 at index 3. */
const CHECKS_WITH_DATA_SQL = `
  select group_concat(coalesce(e.time, 'null')) || ',' || group_concat(
    case when requested.value ->> 3 then coalesce(e.data, 'null') else 'null' end
  ) as result
  from json_each(?) requested left join edges e
    on e.target = requested.value ->> 2 and e.source = requested.value ->> 0
      and e.name = (select id from names where text = requested.value ->> 1)`

const TOKENS_SQL = `
  select group_concat(coalesce(t.record, 'null')) as result
  from json_each(?) requested left join tokens t on t.digest = requested.value`

const FLAGS_SQL = `
  select group_concat(
    exists (
      select 1 from flags
      where name = requested.value ->> 0 and value = requested.value ->> 1
    ) or not exists (select 1 from nodes)
  ) as result
  from json_each(?) requested`

const prepareNodeQuery = (database: SqliteDatabase, { toJsonArray }: SqliteIdColumn) => {
  const query = prepareJsonQuery<string | JsonObject | null>(database, NODES_SQL)
  return (ids: readonly NodeId[]): (NodeRecord | undefined)[] => {
    const cells = query(toJsonArray(ids))
    return ids.map((id, index) => {
      const fields = cells[index]
      const type = cells[ids.length + index]
      return typeof type === 'string' && isNonArrayObject(fields) ? { id, type, fields } : undefined
    })
  }
}

/** Whether one statement can read both ranges. This is possible if they differ only in their source. */
const canShareStatement = (a: EdgeRange, b: EdgeRange): boolean =>
  a.name === b.name &&
  a.direction === b.direction &&
  a.limit === b.limit &&
  a.count === b.count &&
  a.minTime === b.minTime &&
  a.maxTime === b.maxTime &&
  a.from?.time === b.from?.time &&
  a.from?.target === b.from?.target

/** Ranges that one statement reads. */
type RangeGroup = { readonly range: EdgeRange; readonly sources: NodeId[] }

/**
 * Groups consecutive ranges that one statement can read, which is faster. The ranges of a level of a query
 * are next to each other.
 */
const groupConsecutiveRanges = (ranges: readonly EdgeRange[]): readonly RangeGroup[] => {
  const groups: RangeGroup[] = []
  for (const range of ranges) {
    const group = groups.at(-1)
    if (group !== undefined && canShareStatement(group.range, range)) group.sources.push(range.source)
    else groups.push({ range, sources: [range.source] })
  }
  return groups
}

/**
 * Executes a read request on one connection, with one statement each for nodes, checks, tokens and every
 * group of ranges. Several statements run in `runInTransaction`, so that they see one state. A single
 * statement needs no transaction, which would double the time of a small read.
 */
export type ReadExecutor = (
  request: StoreReadRequest,
  runInTransaction: <T>(body: () => T) => T,
) => StoreReadResult

const toCheckKey = ({ source, name, target }: EdgeCheck) => [
  toSourceNumber(source),
  JSON.stringify(name),
  target,
]

const toCheckKeyWithData = (check: EdgeCheck) => [...toCheckKey(check), check.data === true ? 1 : 0]

const toTokenKey = (digest: string): string => {
  assertDigest('store.read', digest)
  return JSON.stringify(digest)
}

const prepareChecksWithData = (database: SqliteDatabase) => {
  const query = prepareJsonQuery<number | JsonObject | null>(database, CHECKS_WITH_DATA_SQL)
  return (checks: readonly EdgeCheck[]): (boolean | EdgeRecord)[] => {
    const cells = query(JSON.stringify(checks.map(toCheckKeyWithData)))
    return checks.map((check, index) => {
      const time = cells[index]
      const data = cells[checks.length + index]
      if (typeof time !== 'number') return false
      if (check.data !== true) return true
      const { source, name, target } = check
      return { source, name, target, time, data: isNonArrayObject(data) ? data : undefined }
    })
  }
}

/** Prepares the statements for checks, tokens and flags. None of them is run for an empty part. */
const prepareKeyQueries = (database: SqliteDatabase) => {
  const queryChecks = prepareJsonQuery<0 | 1>(database, CHECKS_SQL)
  const readChecksWithData = prepareChecksWithData(database)
  const queryTokens = prepareJsonQuery<TokenRecord | null>(database, TOKENS_SQL)
  const queryFlags = prepareJsonQuery<0 | 1>(database, FLAGS_SQL)
  return {
    readChecks: (checks: readonly EdgeCheck[]): (boolean | EdgeRecord)[] => {
      if (checks.length === 0) return []
      if (checks.some(({ data }) => data === true)) return readChecksWithData(checks)
      return queryChecks(JSON.stringify(checks.map(toCheckKey))).map(found => found === 1)
    },
    readTokens: (tokens: readonly string[]): (TokenRecord | undefined)[] =>
      tokens.length === 0
        ? []
        : queryTokens(JSON.stringify(tokens.map(toTokenKey))).map(record =>
            record === null ? undefined : restoreTokenRecord(record),
          ),
    readFlags: (flags: readonly CompletionFlag[]): boolean[] =>
      queryFlags(
        JSON.stringify(flags.map(({ name, value }) => [JSON.stringify(name), JSON.stringify(value)])),
      ).map(found => found === 1),
  }
}

export const prepareReadExecutor = (database: SqliteDatabase, ids: SqliteIdColumn): ReadExecutor => {
  const queryNodes = prepareNodeQuery(database, ids)
  const { readChecks, readTokens, readFlags } = prepareKeyQueries(database)
  const queryRanges = prepareRangeQuery(database, ids)
  const readRangeGroups = (groups: readonly RangeGroup[]): readonly RangeResult[] => {
    const results: RangeResult[] = []
    for (const { range, sources } of groups)
      for (const result of queryRanges(range, sources)) results.push(result)
    return results
  }
  return ({ nodes, ranges, checks, tokens, flags = [] }, runInTransaction) => {
    const rangeGroups = groupConsecutiveRanges(ranges)
    const statementCount =
      rangeGroups.length + [nodes, checks, tokens, flags].filter(part => part.length > 0).length
    const readParts = (): StoreReadResult => {
      const result = {
        nodes: nodes.length === 0 ? [] : queryNodes(nodes),
        ranges: readRangeGroups(rangeGroups),
        checks: readChecks(checks),
        tokens: readTokens(tokens),
      }
      return flags.length === 0 ? result : { ...result, flags: readFlags(flags) }
    }
    return statementCount > 1 ? runInTransaction(readParts) : readParts()
  }
}
