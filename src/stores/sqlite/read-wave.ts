import type { NodeId } from '../../base/ids.ts'
import type {
  EdgeRange,
  EdgeSlice,
  EdgeTest,
  NodeRecord,
  TokenRecord,
  Wave,
  WaveAnswer,
} from '../../store/contract.ts'
import { prepareRangeQuery, type RangeQuery } from './range-queries.ts'
import type { SqliteDatabase } from './sqlite-client.ts'
import { prepareJsonQuery } from './statements.ts'

const NODES = `
  select group_concat(coalesce((
    select '{"id":"' || id || '","type":' || type || ',"fields":' || fields || '}' from nodes where id = asked.value
  ), 'null')) as answer
  from json_each(?) asked`

const TESTS = `
  select group_concat(exists (
    select 1 from edges
    where target = asked.value ->> 2 and source = asked.value ->> 0
      and name = (select id from names where text = asked.value ->> 1)
  )) as answer
  from json_each(?) asked`

const TOKENS = `
  select group_concat(coalesce((select record from tokens where digest = asked.value), 'null')) as answer
  from json_each(?) asked`

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

/** The lists of a level stand one after another, alike, and together take one statement less time than one each. */
const readRanges = (query: RangeQuery, ranges: readonly EdgeRange[]): readonly EdgeSlice[] => {
  const runs: { readonly range: EdgeRange; readonly sources: NodeId[] }[] = []
  for (const range of ranges) {
    const run = runs.at(-1)
    if (run !== undefined && areAlike(run.range, range)) run.sources.push(range.source)
    else runs.push({ range, sources: [range.source] })
  }
  return runs.flatMap(({ range, sources }) => query(range, sources))
}

/** JSON has no undefined: a member that is has been left out. */
const wholeToken = (token: TokenRecord | null): TokenRecord | undefined =>
  token === null
    ? undefined
    : {
        viewer: token.viewer,
        app: token.app,
        scopes: token.scopes,
        issuedAt: token.issuedAt,
        expiresAt: token.expiresAt,
        revokedAt: token.revokedAt,
      }

/** Answers a wave on one connection: one statement for its nodes, its tests, its tokens, and each run of alike ranges. */
export type WaveReader = (wave: Wave) => WaveAnswer

export const prepareWaveReader = (database: SqliteDatabase): WaveReader => {
  const nodesOf = prepareJsonQuery<NodeRecord | null>(database, NODES)
  const testsOf = prepareJsonQuery<0 | 1>(database, TESTS)
  const tokensOf = prepareJsonQuery<TokenRecord | null>(database, TOKENS)
  const rangeQuery = prepareRangeQuery(database)
  const testKey = ({ source, name, target }: EdgeTest) => [source, JSON.stringify(name), target]
  return ({ nodes, ranges, tests, tokens }) => ({
    nodes: nodes.length === 0 ? [] : nodesOf(JSON.stringify(nodes)).map(node => node ?? undefined),
    ranges: readRanges(rangeQuery, ranges),
    tests: tests.length === 0 ? [] : testsOf(JSON.stringify(tests.map(testKey))).map(found => found === 1),
    tokens:
      tokens.length === 0
        ? []
        : tokensOf(JSON.stringify(tokens.map(digest => JSON.stringify(digest)))).map(wholeToken),
  })
}
