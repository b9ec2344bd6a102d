import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import type { CommandSender, RedisClient } from './command-sender.ts'
import { createCommand } from './commands.ts'
import { KeyspaceScanner } from './keyspace-scan.ts'
import type { RedisKeys } from './redis-keys.ts'

/**
 * A store without nodes is remembered for this many times the duration of its scan. So an empty store in a large
 * database of other programs costs its servers at most a twentieth of their time.
 */
const MEMORY_FACTOR = 20

/**
 * Finds out whether a store has no node. Usually it reads one node that existed before. Otherwise it scans the
 * keys of all servers, until it finds a node.
 */
export class EmptyStore {
  readonly #client: RedisClient
  readonly #sender: CommandSender
  readonly #keys: RedisKeys
  readonly #prefix: string
  #emptyUntil = 0
  #writes = 0

  constructor(client: RedisClient, sender: CommandSender, keys: RedisKeys, prefix: string) {
    this.#client = client
    this.#sender = sender
    this.#keys = keys
    this.#prefix = prefix
  }

  /** Must be called after each write of this process, which may have put the first node. */
  forget(): void {
    this.#emptyUntil = 0
    this.#writes++
  }

  /** `knownNode` is the id of a node that existed before; empty if it is unknown. */
  async isEmpty(knownNode: string, options: StoreReadOptions): Promise<boolean> {
    if (knownNode !== '') {
      const [exists] = await this.#sender.send([createCommand('exists', this.#keys.node(knownNode))])
      if (Number(exists) === 1) return false
    }
    if (performance.now() < this.#emptyUntil && options.minRevision === undefined) return true
    const [start, writes] = [performance.now(), this.#writes]
    const id = await this.#findNode(options)
    if (id === undefined) {
      const end = performance.now()
      if (writes === this.#writes) this.#emptyUntil = end + MEMORY_FACTOR * (end - start)
      return true
    }
    await this.#sender.send([createCommand('set', this.#keys.knownNode(), id)])
    return false
  }

  async #findNode(options: StoreReadOptions): Promise<string | undefined> {
    for await (const [first] of new KeyspaceScanner(this.#client, this.#prefix).scan('n')) {
      if (first !== undefined) return first.id
      assertInTime(options)
    }
    return undefined
  }
}
