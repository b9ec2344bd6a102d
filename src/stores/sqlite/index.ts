export type { SqliteDatabase, SqliteStatement, SqliteValue } from './connection.ts'
export {
  createSqliteStore,
  type SqliteSnapshot,
  type SqliteStore,
  type SqliteStoreOptions,
} from './sqlite-store.ts'
