import type { Session } from '../../base/session.ts'
import type {
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../../store/contract.ts'
import type { Database } from '../../stores/postgres/database.ts'
import type { ReadServer, Replicas } from '../../stores/postgres/replicas.ts'
import type { SessionSettings } from './session-settings.ts'
import type { PreparedRead, TableReads } from './table-reads.ts'

/**
 * Only the writes of a token store have revisions, and tables do not contain them. A read of the newest data still
 * uses the primary.
 */
const withoutRevision = (options: StoreReadOptions): StoreReadOptions =>
  options.minRevision === undefined || options.minRevision === 'newest'
    ? options
    : { ...options, minRevision: undefined }

/** Reads tables, each read by one statement. */
export class TableReader {
  readonly #reads: TableReads
  readonly #database: Database
  readonly #replicas: Replicas
  readonly #settings: SessionSettings | undefined

  constructor(
    reads: TableReads,
    database: Database,
    replicas: Replicas,
    settings: SessionSettings | undefined,
  ) {
    this.#reads = reads
    this.#database = database
    this.#replicas = replicas
    this.#settings = settings
  }

  /** Executes a request without its tokens. */
  async read(request: StoreReadRequest, options: StoreReadOptions): Promise<StoreReadResult> {
    const prepared = this.#reads.prepare(request, options.session)
    if (prepared.isEmpty) return prepared.result
    const setUp = this.#settings?.prepare(options.session)
    await this.#replicas.read(withoutRevision(options), async (server, serverOptions) =>
      setUp === undefined
        ? await this.#runDirectly(server, prepared, serverOptions)
        : await server.readTransaction(async run => {
            await setUp(run)
            await prepared.run(run)
          }, serverOptions),
    )
    return prepared.result
  }

  #runDirectly(server: ReadServer, prepared: PreparedRead, options: StoreReadOptions): Promise<void> {
    return prepared.run((statement, parameters) => server.query(statement, parameters, options))
  }

  /** Opens a view that later writes do not change, with the settings of its session. */
  async snapshot(session: Session | undefined): Promise<StoreSnapshot> {
    const view = await this.#database.openSnapshot(this.#settings?.prepare(session))
    return {
      read: async (request, options) => {
        const prepared = this.#reads.prepare(request, options.session)
        await prepared.run((statement, parameters) => view.query(statement, parameters, options))
        return prepared.result
      },
      close: () => view.close(),
    }
  }
}
