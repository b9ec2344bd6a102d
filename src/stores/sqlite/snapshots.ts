import { describe } from '../../base/describe.ts'
import { isPlainObject } from '../../base/json.ts'
import type { Wave, WaveAnswer } from '../../store/contract.ts'
import { configure } from './configure.ts'
import { dumpLines } from './dump.ts'
import { prepareWaveReader } from './read-wave.ts'
import type { SqliteDatabase } from './sqlite-client.ts'
import { prepareCommand } from './statements.ts'

/** A connection of its own, on which one state of the database stays visible from `begin` to `end`. */
export type View = {
  begin(): void
  end(): void
  read(wave: Wave): WaveAnswer
  dump(): Generator<string>
  /** Closes the connection. */
  close(): void
}

const createView = (database: SqliteDatabase): View => {
  const begin = prepareCommand(database, 'begin')
  // SQLite takes its view at the first read, not at `begin`.
  const look = database.prepare('select 1 from sqlite_schema limit 1')
  const end = prepareCommand(database, 'rollback')
  const readWave = prepareWaveReader(database)
  return {
    begin: () => {
      begin()
      look.get()
    },
    end,
    // The view is a transaction already.
    read: wave => readWave(wave, body => body()),
    dump: () => dumpLines(database),
    close: () => {
      database.close()
    },
  }
}

/** Connections kept for the next snapshot: opening one and preparing its statements takes as long as many waves. */
const MOST_IDLE = 8

/** Lends views, each on a connection of its own. */
export class Snapshots {
  readonly #database: SqliteDatabase
  readonly #connect: () => SqliteDatabase
  readonly #idle: View[] = []
  readonly #lent = new Set<View>()

  constructor(database: SqliteDatabase, connect: () => SqliteDatabase) {
    this.#database = database
    this.#connect = connect
  }

  take(): View {
    const view = this.#idle.pop() ?? this.#open()
    this.#lent.add(view)
    view.begin()
    return view
  }

  /** Takes a view back. One that was taken back already is left alone. */
  release(view: View): void {
    if (!this.#lent.delete(view)) return
    view.end()
    if (this.#idle.length < MOST_IDLE) this.#idle.push(view)
    else view.close()
  }

  /** Closes all connections, those that are still lent included. */
  close(): void {
    for (const view of [...this.#idle.splice(0), ...this.#lent]) view.close()
    this.#lent.clear()
  }

  #open(): View {
    const database = this.#connect()
    if (database === this.#database || !isPlainObject(database))
      throw new TypeError(
        `createSqliteStore: expected connect to open a new connection, came ${describe(database)}`,
      )
    try {
      configure(database)
      return createView(database)
    } catch (cause) {
      database.close()
      throw cause
    }
  }
}
