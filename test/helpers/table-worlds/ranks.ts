import type { SqliteDatabase } from 'kithgraph/sqlite'
import type pg from 'pg'
import type { RankOf } from './load.ts'
import { TEXTS } from './rows.ts'

type RankRow = { readonly value: string; readonly rank: number }

const RANKS = 'select value, dense_rank() over (order by value collate'

const toRankOf = (rows: readonly RankRow[]): RankOf => {
  const ranks = new Map(rows.map(({ value, rank }) => [value, Number(rank)]))
  return text => ranks.get(text) ?? Number.NaN
}

/** Reads the ranks of all texts in a collation of SQLite. */
export const readSqliteRanks = (database: SqliteDatabase, collation: string): RankOf => {
  const sql = `select json_group_array(json_object('value', value, 'rank', rank)) as rows
    from (${RANKS} ${collation}) as rank from json_each(?))`
  const row: unknown = database.prepare(sql).get(JSON.stringify(TEXTS))
  const text = typeof row === 'object' && row !== null && 'rows' in row ? row.rows : undefined
  return toRankOf(JSON.parse(`${text}`))
}

/** Reads the ranks of all texts in a collation of Postgres. */
export const readPostgresRanks = async (client: pg.Pool, collation: string): Promise<RankOf> => {
  const sql = `${RANKS} ${collation})::int as rank from json_array_elements_text($1::json) as value`
  const { rows } = await client.query<RankRow>(sql, [JSON.stringify(TEXTS)])
  return toRankOf(rows)
}
