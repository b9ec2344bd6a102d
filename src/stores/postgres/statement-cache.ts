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
  #nameCount = 0

  constructor(schema: string) {
    this.#schema = schema
  }

  /** Returns the statement of a text. */
  use(text: string): Statement {
    const existing = this.#statements.get(text)
    if (existing?.name !== undefined) return existing
    const isNamed = existing !== undefined && this.#nameCount < MAX_NAMES
    const statement = isNamed ? { text, name: this.#createName(text) } : { text }
    this.#statements.set(text, statement)
    return statement
  }

  /** Creates a name that depends on the text, because two stores may share a pool. */
  #createName(text: string): string {
    this.#nameCount++
    const hash = bytesToHex(sha256(utf8ToBytes(text))).slice(0, NAME_HASH_LENGTH)
    return `kithgraph ${hash} of ${this.#schema}`
  }
}
