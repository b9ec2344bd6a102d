export type {
  PGliteClient,
  PGliteQueries,
  PostgresPool,
  PostgresPoolClient,
  PostgresQuery,
  PostgresRows,
} from './postgres-client.ts'
export { createPostgresStore, type PostgresStoreOptions } from './postgres-store.ts'
