export type {
  PGliteClient,
  PGliteQueryable,
  PostgresPool,
  PostgresPoolClient,
  PostgresQuery,
  PostgresResult,
} from './postgres-client.ts'
export { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.ts'
