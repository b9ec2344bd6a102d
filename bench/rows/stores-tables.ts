import type pg from 'pg'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { createPostGraphileReader, toGraphResult } from '../contenders/postgraphile-reader.ts'
import { findSentQueries } from '../contenders/sent-queries.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import {
  createTableReader,
  type TableRead,
  withPhotoPolicy,
  withPolicies,
} from '../contenders/table-graph.ts'
import { createStatementReaders, TITLES } from '../contenders/table-statements.ts'
import { TABLE_STATEMENTS, TABLES } from '../data/table-data.ts'
import { PAGE, TABLE_PHOTOS } from '../data/table-reads.ts'
import { compare } from '../measure/compare.ts'
import { compareThroughput } from '../measure/compare-throughput.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameResults } from '../measure/same-results.ts'
import { timePassed } from '../measure/work-done.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const CLIENTS = 32
const POOL_SIZE = 10
const GRAPH = 'kithgraph over tables'
const BY_HAND = 'hand-written, one statement'

type OpenPool = () => pg.Pool

const { firstPerson, people, authors, popular, archive } = TABLES

const VIEWERS = 64
/** People who read their own photos. They are spread over the table, so that their rows are on distinct pages. */
const PEOPLE: readonly TableRead[] = Array.from({ length: VIEWERS }, (_, index) => {
  const account = firstPerson + ((index * people) / VIEWERS + index)
  return { viewer: Math.floor(account), account: Math.floor(account) }
})
const AUTHORS: readonly TableRead[] = Array.from({ length: VIEWERS }, (_, index) => ({
  viewer: firstPerson,
  account: firstPerson + (index % authors),
}))

const measurePhotos = async (openPool: OpenPool): Promise<Finding[]> => {
  const ours = createTableReader(openPool(), TABLE_PHOTOS)
  const { photos } = createStatementReaders(openPool())
  const readPostGraphile = await createPostGraphileReader(openPool())
  await assertSameResults(PEOPLE, [GRAPH, ours], [BY_HAND, photos], 'data')
  await assertSameResults(
    PEOPLE,
    [GRAPH, ours],
    ['PostGraphile', async read => toGraphResult(await readPostGraphile(read))],
    'data',
  )
  const graph = readInTurn(PEOPLE, `${GRAPH}, 71 nodes`, ours)
  const postGraphile = readInTurn(PEOPLE, 'PostGraphile', readPostGraphile)
  return [
    ...(await compare(
      graph,
      [
        { ...readInTurn(PEOPLE, BY_HAND, photos), bar: { max: 2 } },
        { ...postGraphile, bar: { max: 0.8 } },
      ],
      timePassed,
    )),
    ...(await compareThroughput(graph, { ...postGraphile, bar: { min: 1.2 } }, CLIENTS)),
  ]
}

const measurePolicies = async (openPool: OpenPool): Promise<Finding[]> => {
  const open = createTableReader(openPool(), TABLE_PHOTOS)
  const guarded = createTableReader(openPool(), TABLE_PHOTOS, withPolicies)
  await assertSameResults(PEOPLE, ['without policies', open], ['with policies', guarded], 'data')
  return compare(
    readInTurn(PEOPLE, 'policies on every type', guarded),
    [{ ...readInTurn(PEOPLE, 'without policies', open), bar: { max: 1.5 } }],
    timePassed,
  )
}

const measureLongList = async (openPool: OpenPool): Promise<Finding[]> => {
  const read = createTableReader(openPool(), `followers.limit(${PAGE}){name}`)
  const long = PEOPLE.map(({ viewer }) => ({ viewer, account: popular }))
  return compare(
    readInTurn(long, `${PAGE} of 500000`, read),
    [{ ...readInTurn(PEOPLE, `${PAGE} of ${TABLES.followed}`, read), bar: { max: 1.2 } }],
    timePassed,
  )
}

const measureVisible = async (openPool: OpenPool): Promise<Finding[]> => {
  const ours = createTableReader(openPool(), `photos.limit(${PAGE}){caption,visibility}`, withPhotoPolicy)
  const { visiblePhotos } = createStatementReaders(openPool())
  const reads = PEOPLE.map(({ viewer }) => ({ viewer, account: archive }))
  await assertSameResults(reads, [GRAPH, ours], [BY_HAND, visiblePhotos], 'data')
  return compare(
    readInTurn(reads, `${PAGE} entries, 1 in 100 visible`, ours),
    [{ ...readInTurn(reads, BY_HAND, visiblePhotos), bar: { max: 2 } }],
    timePassed,
  )
}

const TITLE_FIELDS = `articles.limit(${PAGE}){title}`

const measureTitles = async (openPool: OpenPool): Promise<Finding[]> => {
  const ours = createTableReader(openPool(), TITLE_FIELDS)
  const { titles } = createStatementReaders(openPool())
  await assertSameResults(AUTHORS, [GRAPH, ours], [BY_HAND, titles], 'data')
  return compare(
    readInTurn(AUTHORS, `${PAGE} titles of wide rows`, ours),
    [{ ...readInTurn(AUTHORS, BY_HAND, titles), bar: { max: 1.1 } }],
    timePassed,
  )
}

/** The statements alone show what the server reads of wide rows. The rest of a read does not depend on the rows. */
const measureTitleStatements = async (openPool: OpenPool): Promise<Finding[]> => {
  const sent = await findSentQueries(openPool(), AUTHORS, pool => createTableReader(pool, TITLE_FIELDS))
  const byHand = sent.map((query, index) => ({
    ...query,
    name: 'titles',
    text: TITLES,
    values: [`${AUTHORS[index]?.account}`],
  }))
  const [pool, poolByHand] = [openPool(), openPool()]
  return compare(
    readInTurn(sent, `${PAGE} titles of wide rows, the statement alone`, query => pool.query(query)),
    [readInTurn(byHand, `${BY_HAND}, the statement alone`, query => poolByHand.query(query))],
    timePassed,
  )
}

/** Reads over tables of a usual size, which are filled once for all measurements of the row. */
export const createTablesRow = (shutdown: Shutdown): Row => ({
  name: 'stores-tables',
  title: `reads over existing tables of Postgres with ${TABLES.rows} rows, in elapsed time`,
  async measure() {
    const server = await startPostgres()
    shutdown.add(() => server.stop())
    const [pool] = [server.pool({ max: 1 })]
    for (const statement of TABLE_STATEMENTS) await pool.query(statement)
    const openPool = (): pg.Pool => server.pool({ max: POOL_SIZE })
    const findings: Finding[] = []
    for (const measure of [
      measurePhotos,
      measurePolicies,
      measureLongList,
      measureVisible,
      measureTitles,
      measureTitleStatements,
    ])
      findings.push(...(await measure(openPool)))
    return findings
  },
})
