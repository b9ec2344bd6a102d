export type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-client.ts'
export {
  createSqliteStore,
  type SqliteSnapshot,
  type SqliteStore,
  type SqliteStoreOptions,
} from './sqlite-store.ts'
