import type Database from 'better-sqlite3'
import type { Redis } from 'ioredis'
import type pg from 'pg'

/** The pages that people like: one page with many likes, and one page with few likes. */
export const LIST = { long: '1', short: '2', size: 1_000_000, firstPerson: 100_000_000_000 }

/*
 * The database itself creates the long list in the tables or keys of the store, because writing the list record
 * by record would take minutes. The row checks the count of the list.
 */

export const fillLongListInSqlite = (database: Database.Database): void => {
  database.exec(`
    insert into names (text) values ('"likes"');
    with recursive number (n) as (select 0 union all select n + 1 from number where n < ${LIST.size} - 1)
    insert into nodes select ${LIST.firstPerson} + n, '"user"', '{"name":"Person ' || n || '"}' from number;
    insert into edges select ${LIST.long}, (select id from names where text = '"likes"'), id % ${LIST.firstPerson}, id, null
    from nodes where id >= ${LIST.firstPerson};`)
}

export const fillLongListInPostgres = async (pool: pg.Pool): Promise<void> => {
  const { size, firstPerson, long } = LIST
  await pool.query(`
    insert into kithgraph.nodes (id, type, fields)
      select ${firstPerson} + n, 'user', json_build_object('name', 'Person ' || n) from generate_series(0, ${size - 1}) n;
    insert into kithgraph.edges (source, name, target, time)
      select ${long}, 'likes', ${firstPerson} + n, n from generate_series(0, ${size - 1}) n;
    insert into kithgraph.edge_sources (target, source, name)
      select ${firstPerson} + n, ${long}, 'likes' from generate_series(0, ${size - 1}) n;
    insert into kithgraph.edge_counts (source, name, shard, count) values (${long}, 'likes', 0, ${size})`)
  await pool.query('vacuum analyze')
}

const FILL = `
for n = tonumber(ARGV[2]), tonumber(ARGV[3]) do
  local id = string.format('%.0f', tonumber(ARGV[4]) + n)
  redis.call('SET', ARGV[5] .. '{' .. id .. '}n', '["user",{"name":"Person ' .. n .. '"}]')
  redis.call('ZADD', KEYS[1], n, string.rep('0', 19 - #id) .. id)
end
redis.call('SADD', KEYS[2], ARGV[1])`

const BATCH = 50_000

export const fillLongListInRedis = async (redis: Redis): Promise<void> => {
  const prefix = 'kithgraph:'
  const page = `${prefix}{${LIST.long}}`
  for (let from = 0; from < LIST.size; from += BATCH) {
    const bounds = [from, from + BATCH - 1]
    await redis.eval(FILL, 2, `${page}elikes`, `${page}l`, 'likes', ...bounds, LIST.firstPerson, prefix)
  }
}
