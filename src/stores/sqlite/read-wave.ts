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

/** Ranges that one statement answers: they differ in nothing but their source. */
type RangeGroup = { readonly range: EdgeRange; readonly sources: NodeId[]; readonly places: number[] }

/** What ranges of one statement have in common. The name comes last: whatever it holds, no other range has this text. */
const sharedBy = ({ name, direction, from, minTime, maxTime, limit, count }: EdgeRange): string =>
  `${direction} ${from?.time} ${from?.target} ${minTime} ${maxTime} ${limit} ${count} ${name}`

/** Siblings of a level ask alike: ten lists in one statement take a third of the time of ten statements. */
const groupRanges = (ranges: readonly EdgeRange[]): Iterable<RangeGroup> => {
  const groups = new Map<string, RangeGroup>()
  for (const [place, range] of ranges.entries()) {
    const key = sharedBy(range)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { range, sources: [range.source], places: [place] })
    else {
      group.sources.push(range.source)
      group.places.push(place)
    }
  }
  return groups.values()
}

const readRanges = (query: RangeQuery, ranges: readonly EdgeRange[]): readonly EdgeSlice[] => {
  const slices: EdgeSlice[] = []
  for (const { range, sources, places } of groupRanges(ranges)) {
    for (const [index, slice] of query(range, sources).entries()) slices[places[index] ?? 0] = slice
  }
  return slices
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

/** Answers a wave on one connection: at most one statement for nodes, tests and tokens each, one for alike ranges. */
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
