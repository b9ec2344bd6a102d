import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FailingStore, type StoreInUse, writeUntilKilled } from 'kithgraph/testing'
import type { Store, StoreWriteOptions } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createModelStore } from '../../../src/testing/model-store.ts'

/** What a server does wrongly. Without any defect, it passes all tests of failures. */
export type ServerDefects = {
  /** The server applies a batch long after its reply, and forgets it if the connection is cut before. */
  readonly repliesEarly?: boolean
  /** Returns the part of a batch that is applied if the connection is cut during its write. */
  readonly applyPart?: (batch: readonly StoreMutation[]) => readonly StoreMutation[]
  /** The server ignores a batch that it has received before. */
  readonly ignoresRepeated?: boolean
  /** The server applies a batch again that it has received before with the same id. */
  readonly forgetsIds?: boolean
  /** The server remembers the id of a batch that it loses because the connection is cut. */
  readonly keepsIdsOfLostBatches?: boolean
  /** A call with a batch that the server has received once before never ends. The next such call succeeds. */
  readonly hangsOnRepeated?: boolean
  /** Counts are one too high after a cut. */
  readonly countsWrongly?: boolean
  /** Calls never end if the connection is cut during the call. */
  readonly hangsAfterCut?: boolean
  /** Writes do not end during a stall. */
  readonly hangsInStall?: boolean
  /** Every call fails after the first cut. */
  readonly staysBroken?: boolean
  readonly atomicity?: 'batch' | 'source'
}

const WRITE_TIMEOUT_MS = 60
/** The time from a reply to the write of its batch, with the defect. */
const LATE_MS = 30

/** A connection to a simulated server. */
class Connection {
  readonly store: Store
  readonly #server: SimulatedServer
  readonly #runningCalls = new Set<(error: Error) => void>()
  #cutCount = 0
  readonly #stalledCalls: (() => void)[] = []
  #isStalled = false
  #isClosed = false

  constructor(server: SimulatedServer) {
    this.#server = server
    this.store = delegateStore(server.store, {
      read: (request, options) => this.#call(async () => server.store.read(request, options)),
      write: (mutations, options) => this.#write(mutations, options),
    })
  }

  cut(): void {
    this.#cutCount++
    this.#server.wasCut = true
    if (this.#server.defects.hangsAfterCut) return
    for (const reject of this.#runningCalls) reject(new Error('the connection was closed'))
  }

  /** Cuts the connection. All later calls fail. */
  close(): void {
    this.#isClosed = true
    this.cut()
  }

  stall(): void {
    this.#isStalled = true
  }

  restore(): void {
    this.#isStalled = false
    for (const resume of this.#stalledCalls.splice(0)) resume()
  }

  #write(mutations: readonly StoreMutation[], options: StoreWriteOptions) {
    const { defects } = this.#server
    return this.#call(async () => {
      const isClosed = this.#watchForCut()
      await sleep(2)
      if (isClosed() && defects.applyPart) {
        await this.#server.write(defects.applyPart(mutations), options)
        return new Promise<never>(() => undefined)
      }
      if (isClosed() && defects.keepsIdsOfLostBatches) {
        await this.#server.write([], options)
        return new Promise<never>(() => undefined)
      }
      if (!defects.repliesEarly) return this.#server.write(mutations, options)
      // The defect: the reply does not wait for the write.
      const write = async () => (isClosed() ? undefined : this.#server.write(mutations, options))
      // A batch that relies on a forgotten one is invalid.
      sleep(LATE_MS)
        .then(write)
        .catch(() => undefined)
      return { revision: undefined }
    })
  }

  #watchForCut(): () => boolean {
    const count = this.#cutCount
    return () => this.#cutCount > count
  }

  /** Runs a call, unless the connection stalls or is cut before it ends. */
  #call<T>(run: () => Promise<T>): Promise<T> {
    const { defects } = this.#server
    const isClosed = this.#watchForCut()
    return new Promise((resolve, reject) => {
      this.#runningCalls.add(reject)
      const timer = setTimeout(() => {
        if (this.#isStalled && !defects.hangsInStall) reject(new Error('the call timed out'))
      }, WRITE_TIMEOUT_MS)
      const runUnlessStalled = async (): Promise<void> => {
        if (this.#isClosed || (defects.staysBroken && this.#cutCount > 0))
          throw new Error('the connection is closed')
        if (this.#isStalled) await new Promise<void>(resume => this.#stalledCalls.push(resume))
        const result = await run()
        if (!isClosed()) resolve(result)
      }
      runUnlessStalled()
        .catch(reject)
        .finally(() => {
          clearTimeout(timer)
          this.#runningCalls.delete(reject)
        })
    })
  }
}

/** A server in this process whose connections can fail. */
class SimulatedServer {
  readonly defects: ServerDefects
  readonly store: Store
  wasCut = false
  /** The batches that the server has received, and how often. */
  readonly #receivedBatches = new Map<string, number>()

  constructor(defects: ServerDefects) {
    this.defects = defects
    const model = createModelStore()
    this.store = delegateStore(model, {
      capabilities: { ...model.capabilities, atomicity: defects.atomicity ?? 'batch' },
      read: async (request, options) => {
        const result = await model.read(request, options)
        if (!defects.countsWrongly || !this.wasCut) return result
        const ranges = result.ranges.map(range => ({ ...range, total: (range.total ?? 0) + 1 }))
        return { ...result, ranges }
      },
    })
  }

  async write(mutations: readonly StoreMutation[], options: StoreWriteOptions) {
    const { forgetsIds, ignoresRepeated, hangsOnRepeated } = this.defects
    if (options.batch !== undefined)
      return this.store.write(mutations, forgetsIds ? { signal: options.signal } : options)
    const [first] = mutations
    // All writers create the same counters.
    if (first?.op !== 'putNode' || first.when !== undefined) return this.store.write(mutations, options)
    // The hub of the batch contains its number.
    const key = JSON.stringify(first)
    const receivedCount = this.#receivedBatches.get(key) ?? 0
    this.#receivedBatches.set(key, receivedCount + 1)
    if (ignoresRepeated && receivedCount > 0) return { revision: undefined }
    if (hangsOnRepeated && receivedCount === 1) return new Promise<never>(() => undefined)
    return this.store.write(mutations, options)
  }
}

type SimulatedStore = StoreInUse & { readonly server: SimulatedServer; readonly connection: Connection }

/** Creates a store of a simulated server with all kinds of failures. */
export const simulateServer = (defects: ServerDefects): FailingStore<SimulatedStore> => ({
  name: 'simulated',
  create: () => {
    const server = new SimulatedServer(defects)
    const connection = new Connection(server)
    return { server, connection, store: connection.store, connect: () => server.store }
  },
  cut: ({ connection }) => connection.cut(),
  stall: ({ connection }) => connection.stall(),
  restore: ({ connection }) => connection.restore(),
  startWriter: ({ server }, task) => {
    const connection = new Connection(server)
    const output = new PassThrough()
    let isKilled = false
    const report = (line: string): void => {
      if (!isKilled) output.write(line)
    }
    writeUntilKilled(connection.store, task, report).catch(() => undefined)
    const kill = async (): Promise<void> => {
      isKilled = true
      connection.close()
      output.end()
    }
    return { output, kill }
  },
})
