import type { Database } from '../../stores/postgres/database.ts'
import type { PoolDatabase } from '../../stores/postgres/pool-database.ts'
import { Replicas } from '../../stores/postgres/replicas.ts'
import type { TableModel, TableName } from '../model/table-model.ts'
import type { TableSource } from '../table-source.ts'
import { RowSecurity } from './row-security.ts'
import { SessionSettings, type SettingsFunction } from './session-settings.ts'
import { TableReader } from './table-reader.ts'
import { TableReads } from './table-reads.ts'

/** The options of a source over Postgres. */
export type PostgresSourceOptions = {
  readonly model: TableModel
  readonly replicas: readonly PoolDatabase[]
  readonly settings: SettingsFunction | undefined
  /** The tables that must have row-level security. */
  readonly rowSecurity: readonly TableName[]
}

/** Creates the source of the tables of a Postgres database. */
export const createPostgresSource = (
  database: Database,
  { model, replicas, settings, rowSecurity }: PostgresSourceOptions,
): TableSource => {
  const reads = new TableReads(model)
  const sessionSettings = settings && new SessionSettings(settings, new RowSecurity(rowSecurity))
  const reader = new TableReader(reads, database, new Replicas(database, replicas), sessionSettings)
  const { snapshots, durable, shared } = database.capabilities
  return {
    capabilities: {
      snapshots,
      durable,
      shared,
      readsAhead: true,
      conditions: true,
      bySession: settings !== undefined || reads.areBySession,
    },
    read: (request, options) => reader.read(request, options),
    snapshot: session => reader.snapshot(session),
  }
}
