import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { BoundedMap } from '../../base/bounded-map.ts'
import type { Statement } from './database.ts'

const MAX_TEXTS = 100
/** The maximum number of texts that get a name. Each connection keeps the statements that it has prepared. */
const MAX_NAMES = 300
const NAME_HASH_LENGTH = 16

/**
 * The statements whose texts depend on the query. A text gets a name at its second use, so that each connection
 * prepares only statements that occur again.
 */
export class StatementCache {
  readonly #schema: string
  readonly #statements = new BoundedMap<Statement>(MAX_TEXTS)
  readonly #names = new Set<string>()

  constructor(schema: string) {
    this.#schema = schema
  }

  /** Returns the statement of a text. */
  use(text: string): Statement {
    const existing = this.#statements.get(text)
    if (existing?.name !== undefined) return existing
    const name = existing && this.#createName(text)
    const statement = name === undefined ? { text } : { text, name }
    this.#statements.set(text, statement)
    return statement
  }

  /**
   * Creates a name that depends on the text, because two stores may share a pool. A text that was dropped gets its name
   * again. Returns `undefined` if there are too many names.
   */
  #createName(text: string): string | undefined {
    const hash = bytesToHex(sha256(utf8ToBytes(text))).slice(0, NAME_HASH_LENGTH)
    if (!this.#names.has(hash) && this.#names.size >= MAX_NAMES) return undefined
    this.#names.add(hash)
    return `kithgraph ${hash} of ${this.#schema}`
  }
}
