import type { NodeId } from '../../base/ids.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { type Generation, toPurgeText } from './encoding.ts'

/**
 * The keys of a store. A key consists of the prefix, the id in braces, one letter for the kind, and for some
 * kinds the name of an edge. The id is the hash tag, so all keys of an id share a slot. A prefix contains no
 * opening brace, so keys are unique, also across prefixes. Instead of an id, the keys of collections have the tag
 * of a shard, or `root`.
 */
export class RedisKeys {
  readonly #prefix: string
  readonly #prefixWithBrace: string

  constructor(prefix: string) {
    this.#prefix = prefix
    this.#prefixWithBrace = `${prefix}{`
  }

  /** A string: the record of a node. */
  node(id: NodeId): string {
    return this.#keyOf(id, 'n')
  }

  /** A sorted set: the targets of the edges of one name, by time. It exists only while its node exists. */
  list(id: NodeId, name: string): string {
    return this.#keyOf(id, `e${name}`)
  }

  /** A hash: time and data of each edge of a list that has data, by target. */
  edgeData(id: NodeId, name: string): string {
    return this.#keyOf(id, `d${name}`)
  }

  /** A set: the names of the lists of a node. */
  listNames(id: NodeId): string {
    return this.#keyOf(id, 'l')
  }

  /** A set: the sources and names of the edges to a node. */
  reverseEntries(id: NodeId): string {
    return this.#keyOf(id, 'r')
  }

  /** A string: the last generation of a deleted node. It expires after a day. */
  lastGeneration(id: NodeId): string {
    return this.#keyOf(id, 't')
  }

  /** A hash: the numbers of the mirrored edges of a node. */
  numbers(id: NodeId): string {
    return this.#keyOf(id, 'm')
  }

  /** A sorted set: the mirrored edges of a node that were deleted, by number. It expires after a day. */
  deletedNumbers(id: NodeId): string {
    return this.#keyOf(id, 'z')
  }

  /** A sorted set: the recovery notes of a node, by time in microseconds. */
  recoveryNotes(id: NodeId): string {
    return this.#keyOf(id, 'u')
  }

  /** A sorted set: the deleted generations of an id that are not purged yet, by time in microseconds. */
  pendingPurges(id: NodeId): string {
    return this.#keyOf(id, 'p')
  }

  /** A set: the names of the lists of a deleted generation. */
  deletedListNames(id: NodeId, generation: Generation): string {
    return this.#keyOf(id, `k${toPurgeText(generation)}`)
  }

  /** A list of a deleted generation, until its edges are purged. */
  deletedList(id: NodeId, generation: Generation, name: string): string {
    return this.#keyOf(id, `x${toPurgeText(generation)} ${name}`)
  }

  /** The reverse entries of a deleted generation, until its edges are purged. */
  deletedReverseEntries(id: NodeId, generation: Generation): string {
    return this.#keyOf(id, `y${toPurgeText(generation)}`)
  }

  /** A string: a step of a batch with an id, written at a node: its result and the digest. It expires. */
  batchStep(id: NodeId, step: 'c' | 'n' | 'e', batchId: string): string {
    return this.#keyOf(id, `b${step}${batchId}`)
  }

  /** A hash: the number and the time of the entry of a node in each collection. */
  entries(id: NodeId): string {
    return this.#keyOf(id, 'c')
  }

  /** The entries of a deleted generation, until they are removed from their collections. */
  deletedEntries(id: NodeId, generation: Generation): string {
    return this.#keyOf(id, `w${toPurgeText(generation)}`)
  }

  /** A sorted set: the entries of a collection in one shard, by time. `tag` is the hash tag of the shard. */
  shardList(tag: string, collection: string): string {
    return this.#keyOf(tag, `e${collection}`)
  }

  /** A hash: the suffix of the last entry of each node in a shard, also of one that was removed. */
  shardEntries(tag: string, collection: string): string {
    return this.#keyOf(tag, `c${collection}`)
  }

  /** A sorted set: the nodes whose entries were removed from a shard, by time in microseconds. */
  shardRemovals(tag: string, collection: string): string {
    return this.#keyOf(tag, `z${collection}`)
  }

  /** A string: the number of shards of each collection. */
  shardCount(): string {
    return this.#keyOf(ROOT_ID, 'k')
  }

  /** A string: the value of a completion flag. */
  flag(name: string): string {
    return this.#keyOf(ROOT_ID, `f${name}`)
  }

  /** A string: the id of a node that existed when a flag was read. */
  knownNode(): string {
    return this.#keyOf(ROOT_ID, 'n')
  }

  /** A hash: the digest of a batch with an id, and its attempts. The id is the hash tag. It expires. */
  batch(batchId: string): string {
    return `${this.#prefixWithBrace}#${batchId}}`
  }

  /** A string: a token. Empty braces are not a hash tag, so tokens are distributed over the slots. */
  token(digest: string): string {
    return `${this.#prefix}{}${digest}`
  }

  #keyOf(id: NodeId, suffix: string): string {
    return `${this.#prefixWithBrace}${id}}${suffix}`
  }
}
