import type { Awaitable } from '../../base/awaitable.ts'
import type { Session } from '../../base/session.ts'
import type { Store } from '../../store/contract.ts'

/** A new, empty store whose failures are tested. */
export type StoreInUse = {
  /** The store, not open yet. Its failures are caused while it is in use. */
  readonly store: Store
  /**
   * Creates another store, not open yet, over the same data. Failures must not affect it. Required with
   * `cut` and `stall`. Without it, all calls use `store`.
   */
  readonly connect?: (() => Awaitable<Store>) | undefined
  /** Removes the data and releases all resources, after the stores are closed. */
  readonly remove?: (() => Awaitable<void>) | undefined
}

/** Another process that writes to a store with `writeUntilKilled`. */
export type WriterProcess = {
  /** The standard output of the process. */
  readonly output: AsyncIterable<string | Uint8Array>
  /**
   * Kills the process at once, as `kill -9` does. Resolves after the process has ended. A second call does
   * nothing.
   */
  readonly kill: () => Awaitable<void>
}

/** A store and the failures that it is tested with. Each failure has its own section of tests. */
export type FailingStore<TStoreInUse extends StoreInUse> = {
  readonly name: string
  /** Creates a new, empty store that is not open yet. */
  readonly create: () => Awaitable<TStoreInUse>
  /** Closes all current connections of `store`. New connections succeed. */
  readonly cut?: ((storeInUse: TStoreInUse) => Awaitable<void>) | undefined
  /** Holds back all data of current and new connections of `store`, until `restore` is called. */
  readonly stall?: ((storeInUse: TStoreInUse) => Awaitable<void>) | undefined
  /** Ends a stall. Required with `stall`. */
  readonly restore?: ((storeInUse: TStoreInUse) => Awaitable<void>) | undefined
  /** Starts a process that calls `writeUntilKilled` with a store over the same data and with the task. */
  readonly startWriter?: ((storeInUse: TStoreInUse, task: string) => Awaitable<WriterProcess>) | undefined
  /** The session of all calls. Required for a store with the capability `bySession`. */
  readonly session?: Session | undefined
  /** The number of failures in each section. Default 3. */
  readonly rounds?: number | undefined
  /** The time within which every call must end, even during a failure, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number | undefined
}

/** The open stores of a test. Failures do not affect `observer`, if there are two stores. */
export type OpenStores<TStoreInUse extends StoreInUse> = {
  readonly storeInUse: TStoreInUse
  readonly store: Store
  readonly observer: Store
}

/** The settings and functions that the sections use. */
export type FailureSuite<TStoreInUse extends StoreInUse> = {
  readonly rounds: number
  readonly timeoutMs: number
  /** The session of the calls of other processes. The stores of a test have it already. */
  readonly session: Session | undefined
  /** Declares a test on a new store. */
  test(name: string, body: (stores: OpenStores<TStoreInUse>) => Promise<void>): void
}
