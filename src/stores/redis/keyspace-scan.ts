import { GraphError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { wait } from '../wait.ts'
import type { RedisClient } from './command-sender.ts'
import { parseListReply } from './commands.ts'
import { DataHistory } from './data-history.ts'
import { computeSlot, SLOT_COUNT } from './key-slot.ts'
import {
  joinFingerprints,
  listMasters,
  readServerState,
  type ServerClient,
  type ServerState,
} from './server-state.ts'
import { isShardTag } from './shards.ts'

/** The number of keys that the server examines for one `scan`. */
const SCAN_COUNT = 1000

/** How many times a step is repeated after a change in the cluster. */
const MAX_RETRIES = 3

/**
 * The milliseconds before the servers are read again, so that all of them learn about a change. During a
 * failover, the client itself also waits.
 */
const RETRY_DELAY_MS = 1000

/**
 * The parts of a key: its id, its hash tag, and the text after the letter for its kind. For a list, that text is
 * the name of its edges. The id of a key of a collection is `root`, and the tag that of a shard.
 */
export type ParsedKey = { readonly id: NodeId; readonly tag: string; readonly suffix: string }

type Server = { readonly client: ServerClient; readonly state: ServerState }

/** Escapes text for a pattern of `scan`. */
const escapePattern = (text: string): string => text.replaceAll(/[\\*?[\]]/g, '\\$&')

const formatFingerprints = (servers: readonly Server[]): string =>
  joinFingerprints(servers.map(({ state }) => state))

const createKeyInSlot = (slot: number): string => {
  for (let number = 0; ; number++) if (computeSlot(`{${number}}`) === slot) return `{${number}}`
}

/** The reason why it is unknown which master has which slots, and a slot without a known master. */
type UnclearOwner = { readonly message: string; readonly missingSlot?: number }

/** Checks that each slot has one master, and that all masters see the same slots at each master. */
const findUnclearOwner = (states: readonly ServerState[]): UnclearOwner | undefined => {
  if (states.length === 0) return { message: 'no master is reachable', missingSlot: 0 }
  const ownedSlots = new Set(states.flatMap(({ slots }) => [...slots]))
  for (let slot = 0; slot < SLOT_COUNT; slot++)
    if (!ownedSlots.has(slot))
      return { message: `no reachable master has hash slot ${slot}`, missingSlot: slot }
  const isShared = states.reduce((sum, { slots }) => sum + slots.size, 0) > SLOT_COUNT
  const isDisputed = states.some(({ slotMap }) => slotMap !== states[0]?.slotMap)
  return isShared || isDisputed ? { message: 'the masters disagree about their hash slots' } : undefined
}

const createScanError = (explanation: string, cause?: unknown): GraphError =>
  new GraphError('store_error', `(#2) The store failed to scan all keys: ${explanation}`, {}, { cause })

/**
 * Scans the keys of a store on all masters, and proves that no key was missed: each hash slot belonged to one
 * master from the beginning of its scan to the end, and no data was lost since the first scan of this
 * object. A key that is written or deleted during a scan may be missing. A key may be repeated.
 *
 * The slots come from the masters themselves, because the client may not know the current masters, and may
 * know them under other addresses.
 */
export class KeyspaceScanner {
  readonly #client: RedisClient
  /** The prefix of keys on the server. A client adds its own prefix to keys, but not to patterns. */
  readonly #fullPrefix: string
  readonly #history = new DataHistory()

  constructor(client: RedisClient, prefix: string) {
    this.#client = client
    this.#fullPrefix = `${client.options?.keyPrefix ?? ''}${prefix}`
  }

  /**
   * Generates the keys of one kind, page by page. A shard is scanned again, at most three times, if a master or
   * its slots change. So the records of a page may be read from all masters before the next page.
   *
   * @throws GraphError `store_error` at once if a slot is moving between masters, and if keys may be missing.
   */
  async *scan(kind: string): AsyncGenerator<readonly ParsedKey[]> {
    let servers = await this.#readOwners()
    const remainingSlots = new Set(servers.flatMap(({ state }) => [...state.slots]))
    let retries = 0
    for (;;) {
      const server = servers.find(({ state }) => [...state.slots].some(slot => remainingSlots.has(slot)))
      if (server === undefined) return
      const cause = yield* this.#scanServer(server, kind, remainingSlots)
      if (cause !== undefined) await this.#waitForChange([...server.state.slots][0])
      const laterServers = await this.#readOwners()
      // The reader of a page reads records from all masters. A former master can reply that it has no records.
      const isUnchanged = formatFingerprints(servers) === formatFingerprints(laterServers)
      servers = laterServers
      if (isUnchanged && cause === undefined) {
        for (const slot of server.state.slots) remainingSlots.delete(slot)
        retries = 0
      } else if (retries++ === MAX_RETRIES)
        throw createScanError(
          cause === undefined
            ? 'masters or their hash slots changed several times'
            : 'a master failed several times',
          cause,
        )
    }
  }

  /** Generates the keys of a server in some slots. Returns the error if the server fails. */
  async *#scanServer(
    { client, state }: Server,
    kind: string,
    slots: ReadonlySet<number>,
  ): AsyncGenerator<readonly ParsedKey[], unknown> {
    const pattern = `${escapePattern(this.#fullPrefix)}{*}${kind}*`
    // A server may still have keys of slots that it has lost.
    const isIncluded = (slot: number) => slots.has(slot) && state.slots.has(slot)
    let cursor = '0'
    do {
      let page: readonly ParsedKey[]
      try {
        const reply = await client.call('scan', [cursor, 'match', pattern, 'count', `${SCAN_COUNT}`])
        const [next, keys] = parseListReply(reply)
        page = parseListReply(keys).flatMap(key =>
          isIncluded(computeSlot(String(key))) ? (this.#parseKey(String(key), kind) ?? []) : [],
        )
        cursor = String(next)
      } catch (error) {
        return error
      }
      yield page
    } while (cursor !== '0')
    return undefined
  }

  /** Parses a key. The pattern can match other keys too, which are undefined. */
  #parseKey(key: string, kind: string): ParsedKey | undefined {
    const [, tag, kindAndSuffix] = /^\{((?:root-)?\d+)\}(.*)$/s.exec(key.slice(this.#fullPrefix.length)) ?? []
    if (tag === undefined || !kindAndSuffix?.startsWith(kind)) return undefined
    const id = isShardTag(tag) ? ROOT_ID : tag
    return { id, tag, suffix: kindAndSuffix.slice(kind.length) }
  }

  /** Reads which master has which slots, from these masters. */
  async #readOwners(): Promise<readonly Server[]> {
    for (let retries = 0; ; retries++) {
      const { servers, cause } = await this.#readServers()
      const states = servers.map(({ state }) => state)
      if (states.some(({ hasMovingSlots }) => hasMovingSlots))
        throw createScanError('hash slots are moving between masters; scan again after the move')
      const unclearOwner: UnclearOwner | undefined =
        findUnclearOwner(states) ?? (cause === undefined ? undefined : { message: 'a master is unreachable' })
      if (unclearOwner === undefined) {
        if (this.#history.continuesWith(states)) return servers
        throw createScanError('a master restarted, was removed or lost writes during the scan; scan again')
      }
      if (retries === MAX_RETRIES) throw createScanError(unclearOwner.message, cause)
      await this.#waitForChange(unclearOwner.missingSlot)
    }
  }

  /** Reads the states of the masters that the client knows, without those that have and receive no slots. */
  async #readServers(): Promise<{ readonly servers: readonly Server[]; readonly cause: unknown }> {
    const results = await Promise.allSettled(
      listMasters(this.#client).map(async client => ({ client, state: await readServerState(client) })),
    )
    const failures = results.filter(result => result.status === 'rejected')
    const servers = results.flatMap(result => (result.status === 'fulfilled' ? result.value : []))
    return {
      servers: servers.filter(({ state }) => state.slots.size > 0 || state.hasMovingSlots),
      cause: failures[0]?.reason,
    }
  }

  /**
   * Waits before the next attempt. To read a key of a slot, the client waits for the end of a failover, and
   * connects to the current master of the slot.
   */
  async #waitForChange(slot: number | undefined): Promise<void> {
    if (slot !== undefined) await Promise.allSettled([this.#client.call('exists', [createKeyInSlot(slot)])])
    await wait(RETRY_DELAY_MS)
  }
}
