import type { NodeId } from '../../base/ids.ts'
import { isJsonObject, type JsonObject } from '../../base/json.ts'
import type {
  EdgeRange,
  EdgeSlice,
  EdgeTest,
  NodeRecord,
  TokenRecord,
  Wave,
  WaveAnswer,
} from '../../store/contract.ts'
import { wholeToken } from '../../store/whole-token.ts'
import { prepareRangeQuery } from './range-queries.ts'
import type { SqliteDatabase } from './sqlite-client.ts'
import { prepareJsonQuery } from './statements.ts'

/** A joined row costs less than a subselect, and ids that come as numbers less than ids that come as text. */
const NODES = `
  select group_concat(coalesce(n.fields, 'null')) || ',' || group_concat(coalesce(n.type, 'null')) as answer
  from json_each(?) asked left join nodes n on n.id = asked.value`

const TESTS = `
  select group_concat(exists (
    select 1 from edges
    where target = asked.value ->> 2 and source = asked.value ->> 0
      and name = (select id from names where text = asked.value ->> 1)
  )) as answer
  from json_each(?) asked`

const TOKENS = `
  select group_concat(coalesce(t.record, 'null')) as answer
  from json_each(?) asked left join tokens t on t.digest = asked.value`

const prepareNodeQuery = (database: SqliteDatabase) => {
  const query = prepareJsonQuery<string | JsonObject | null>(database, NODES)
  return (ids: readonly NodeId[]): (NodeRecord | undefined)[] => {
    const found = query(`[${ids.join()}]`)
    return ids.map((id, place) => {
      const fields = found[place]
      const type = found[ids.length + place]
      return typeof type === 'string' && isJsonObject(fields) ? { id, type, fields } : undefined
    })
  }
}

/** Whether one statement answers both: they differ in nothing but their source. */
const areAlike = (a: EdgeRange, b: EdgeRange): boolean =>
  a.name === b.name &&
  a.direction === b.direction &&
  a.limit === b.limit &&
  a.count === b.count &&
  a.minTime === b.minTime &&
  a.maxTime === b.maxTime &&
  a.from?.time === b.from?.time &&
  a.from?.target === b.from?.target

/** Ranges that one statement answers. */
type Run = { readonly range: EdgeRange; readonly sources: NodeId[] }

/** The lists of a level stand one after another, alike, and together take one statement less time than one each. */
const runsOf = (ranges: readonly EdgeRange[]): readonly Run[] => {
  const runs: Run[] = []
  for (const range of ranges) {
    const run = runs.at(-1)
    if (run !== undefined && areAlike(run.range, range)) run.sources.push(range.source)
    else runs.push({ range, sources: [range.source] })
  }
  return runs
}

/**
 * Answers a wave on one connection: one statement for its nodes, its tests, its tokens, and each run of alike ranges.
 * Several of them are run in `transaction`. One sees one state by itself, and a transaction around it would double what
 * a small wave takes.
 */
export type WaveReader = (wave: Wave, transaction: <T>(body: () => T) => T) => WaveAnswer

export const prepareWaveReader = (database: SqliteDatabase): WaveReader => {
  const nodesOf = prepareNodeQuery(database)
  const testsOf = prepareJsonQuery<0 | 1>(database, TESTS)
  const tokensOf = prepareJsonQuery<TokenRecord | null>(database, TOKENS)
  const slicesOf = prepareRangeQuery(database)
  const testKey = ({ source, name, target }: EdgeTest) => [source, JSON.stringify(name), target]
  const readRuns = (runs: readonly Run[]): readonly EdgeSlice[] => {
    const slices: EdgeSlice[] = []
    for (const { range, sources } of runs) for (const slice of slicesOf(range, sources)) slices.push(slice)
    return slices
  }
  return ({ nodes, ranges, tests, tokens }, transaction) => {
    const runs = runsOf(ranges)
    const statements = runs.length + [nodes, tests, tokens].filter(part => part.length > 0).length
    const read = (): WaveAnswer => ({
      nodes: nodes.length === 0 ? [] : nodesOf(nodes),
      ranges: readRuns(runs),
      tests: tests.length === 0 ? [] : testsOf(JSON.stringify(tests.map(testKey))).map(found => found === 1),
      tokens:
        tokens.length === 0
          ? []
          : tokensOf(JSON.stringify(tokens.map(digest => JSON.stringify(digest)))).map(record =>
              record === null ? undefined : wholeToken(record),
            ),
    })
    return statements > 1 ? transaction(read) : read()
  }
}
