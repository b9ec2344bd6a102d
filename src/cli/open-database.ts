import type { Store } from '../store/contract.ts'
import { PoolDatabase } from '../stores/postgres/pool-database.ts'
import { createTransactions, readNumber } from '../stores/sqlite/connection.ts'
import type { ReadNumber } from '../tables/check/check-values.ts'
import { createOptions } from '../tables/check/sample.ts'
import type { Tables } from '../tables/define-tables.ts'
import type { FindTimeForm } from '../tables/derive/derive-fields.ts'
import { createTimeFormSampler } from '../tables/derive/sample-time-form.ts'
import type { DatabaseDescription } from '../tables/description/database-description.ts'
import { describePostgres } from '../tables/introspect/describe-postgres.ts'
import { describeSqlite } from '../tables/introspect/describe-sqlite.ts'
import type { TableSelection } from '../tables/introspect/table-selection.ts'
import { createTableStore } from '../tables/table-store.ts'
import { CommandError } from './command-error.ts'
import { createPool, type OwnedPool, openSqliteFile, toOpenError } from './open-driver.ts'
import { type GivenUrl, parseStoreUrl } from './store-url.ts'

/** A connection to a database with tables. It only reads. */
export type TableDatabase = {
  /** @throws Error if one of the schemas does not exist, or the unchanged error of the driver. */
  describe(selection: TableSelection): Promise<DatabaseDescription>
  /** Finds how times are stored. */
  readonly findTimeForm: FindTimeForm
  /** Runs a statement that returns one number. */
  readonly readNumber: ReadNumber
  /** Creates a store over the tables. */
  openStore(tables: Tables): Store
  close(): Promise<void>
}

/** The setting that makes every transaction of a connection read only. */
const READ_ONLY = '-c default_transaction_read_only=on'
const MAX_CONNECTIONS = 10

/** Adds the setting to those of the URL. */
const toReadOnlyUrl = (text: string): string => {
  const url = new URL(text)
  const options = url.searchParams.get('options')
  url.searchParams.set('options', options === null ? READ_ONLY : `${options} ${READ_ONLY}`)
  return url.href
}

const describeWithPool = async (pool: OwnedPool, selection: TableSelection): Promise<DatabaseDescription> => {
  const snapshot = await new PoolDatabase(pool).openSnapshot()
  try {
    return await describePostgres(snapshot, selection)
  } finally {
    await snapshot.close()
  }
}

const openPostgres = (folder: string, url: string): TableDatabase => {
  const pool = createPool(folder, toReadOnlyUrl(url), MAX_CONNECTIONS)
  return {
    describe: selection => describeWithPool(pool, selection),
    // The columns of Postgres have types for times.
    findTimeForm: () => 'iso',
    readNumber: async sql => {
      const [row] = await new PoolDatabase(pool).query({ text: sql }, [], createOptions())
      return Number(row?.[0])
    },
    openStore: tables => createTableStore(pool, { tables }),
    close: () => pool.end(),
  }
}

const openSqlite = (
  folder: string,
  { path, origin }: { path: string; origin: GivenUrl['origin'] },
): TableDatabase => {
  const database = openSqliteFile(folder, path, origin, true)
  return {
    describe: async selection => {
      if (selection.schemas !== undefined) throw new CommandError('--schemas requires a Postgres URL')
      return createTransactions(database).runRead(() => describeSqlite(database, selection))
    },
    findTimeForm: createTimeFormSampler(database),
    readNumber: async sql => readNumber(database, sql),
    openStore: tables => createTableStore(database, { tables }),
    close: async () => {
      database.close()
    },
  }
}

/** A database with the description of its tables. */
export type OpenedTables = { readonly database: TableDatabase; readonly description: DatabaseDescription }

/**
 * Connects to a database with the driver of the user's project, and describes its tables.
 *
 * @throws CommandError for the URL of another database, or a missing file or driver; otherwise an Error whose cause is
 *   the error of the driver, or says that a schema does not exist.
 */
export const openTables = async (
  url: GivenUrl,
  folder: string,
  selection: TableSelection,
): Promise<OpenedTables> => {
  const location = parseStoreUrl(url)
  if (location.kind === 'redis') throw new CommandError('a database with tables is in Postgres or SQLite')
  let database: TableDatabase | undefined
  try {
    database =
      location.kind === 'postgres'
        ? openPostgres(folder, location.url)
        : openSqlite(folder, { path: location.path, origin: url.origin })
    return { database, description: await database.describe(selection) }
  } catch (cause) {
    await database?.close()
    throw toOpenError(cause, 'database', location, url.origin)
  }
}
