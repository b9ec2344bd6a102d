export type {
  PGliteClient,
  PGliteQueries,
  PostgresPool,
  PostgresPoolClient,
  PostgresQuery,
  PostgresRows,
} from './postgres-client.ts'
export { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.ts'
