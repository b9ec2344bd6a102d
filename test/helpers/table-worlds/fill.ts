import type { SqliteDatabase } from 'kithgraph/sqlite'
import type pg from 'pg'
import { WORLD_TABLES } from './ddl.ts'
import { START, type TableWorld } from './rows.ts'

type Value = string | number | boolean | null
type TableName = (typeof WORLD_TABLES)[number]
type Rows = { readonly [table in TableName]: readonly { readonly [column: string]: Value }[] }

/** Returns a time with its microseconds in ISO 8601, which sorts as text. */
const toIso = (micros: number): string => {
  const fraction = `${micros % 1_000_000}`.padStart(6, '0')
  return `${new Date(START + Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19)}.${fraction}Z`
}

const DELETED = toIso(0)

/** Returns the rows of the tables, by the names of their columns. */
const toRows = (world: TableWorld): Rows => {
  const shared = ({ tenant, created }: { readonly tenant: number; readonly created: number }) => ({
    tenant,
    created_at: toIso(created),
  })
  const deletedAt = ({ isDeleted }: { readonly isDeleted: boolean }) => (isDeleted ? DELETED : null)
  return {
    account: world.accounts.map(row => ({
      ...shared(row),
      ...{ id: row.id, name: row.name, mood: row.mood, boss_id: row.boss, price: row.price },
      ...{ active: row.isActive, follower_count: row.followerCount, deleted_at: deletedAt(row) },
    })),
    photo: world.photos.map(row => ({
      ...shared(row),
      ...{ id: row.id, owner_id: row.owner, title: row.title, state: row.state, rating: row.rating },
      ...{ taken_at: row.taken === null ? null : toIso(row.taken), deleted_at: deletedAt(row) },
    })),
    comment: world.comments.map(row => ({
      ...shared(row),
      ...{
        id: row.id,
        photo_id: row.photo,
        author_id: row.author,
        body: row.body,
        deleted_at: deletedAt(row),
      },
    })),
    follow: world.follows.map(row => ({
      ...shared(row),
      ...{ follower_id: row.follower, followee_id: row.followee, note: row.note, muted: row.isMuted },
    })),
    team: world.teams.map(row => ({ ...shared(row), slug: row.slug, name: row.name })),
    membership: world.memberships.map(row => ({
      ...shared(row),
      ...{ team_slug: row.team, account_id: row.account, role: row.role },
    })),
    revision: world.revisions.map(row => ({
      ...shared(row),
      ...{ photo_id: row.photo, number: row.number, caption: row.caption, editor_id: row.editor },
      previous_photo_id: row.previous === null ? null : row.photo,
      previous_number: row.previous,
    })),
  }
}

/** Replaces the rows of the tables of a world in a schema of Postgres. */
export const fillPostgres = async (client: pg.Pool, schema: string, world: TableWorld): Promise<void> => {
  const rows = toRows(world)
  const inserts = WORLD_TABLES.map(
    table =>
      `, in_${table} as (insert into ${schema}.${table} select * from json_populate_recordset(null::${schema}.${table}, $1::json -> '${table}'))`,
  )
  await client.query(`truncate ${WORLD_TABLES.map(table => `${schema}.${table}`).join()}`)
  await client.query(`with nothing as (select) ${inserts.join('\n')} select`, [JSON.stringify(rows)])
}

/** Replaces the rows of the tables of a world in SQLite. */
export const fillSqlite = (database: SqliteDatabase, world: TableWorld): void => {
  const rows = toRows(world)
  database.exec('begin')
  for (const table of WORLD_TABLES) {
    database.exec(`delete from ${table}`)
    for (const row of rows[table]) {
      const cells = Object.entries(row).flatMap(([name, value]) =>
        value === null ? [] : [[name, typeof value === 'boolean' ? Number(value) : value] as const],
      )
      const names = cells.map(([name]) => name)
      const values = cells.map(([, value]) => value)
      database.prepare(`insert into ${table} (${names}) values (${names.map(() => '?')})`).run(...values)
    }
  }
  database.exec('commit')
}
