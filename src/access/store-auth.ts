import { BoundedMap } from '../base/bounded-map.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'
import { type Authenticator, UNKNOWN, type Verdict } from './auth.ts'
import { equalInConstantTime } from './equal.ts'
import { generationOf, hasGeneration } from './generations.ts'
import type { AppSecrets } from './proof.ts'
import { familyIn, familyKey, familyOf, tokenKey } from './token-text.ts'

const REMEMBERED_TOKENS = 4096

/** What follows from a token's text alone, and is remembered since it takes hashing. */
type Remembered = {
  readonly keys: readonly [token: string, family: string]
  readonly family: string
  viewer?: string
  /** What was read of it last, with its session: a store that keeps records answers the same one each time. */
  last?: { readonly record: TokenRecord; readonly verdict: Verdict }
}

const sessionOf = ({ viewer, app, scopes, issuedAt, expiresAt }: TokenRecord): Session =>
  Object.freeze({ viewer, app, scopes, issuedAt, expiresAt })

const verdictOn = (recalled: Remembered, record: TokenRecord): Verdict => {
  if (recalled.last?.record !== record) recalled.last = { record, verdict: { session: sessionOf(record) } }
  return recalled.last.verdict
}

/** An app's own token, `APP|SECRET`: it stands for no viewer. */
const appVerdict = (token: string, secrets: AppSecrets): Verdict => {
  const bar = token.indexOf('|')
  const app = token.slice(0, bar)
  const secret = bar > 0 && Object.hasOwn(secrets, app) ? secrets[app] : undefined
  if (secret === undefined || !equalInConstantTime(token.slice(bar + 1), secret)) return UNKNOWN
  return { session: Object.freeze({ viewer: undefined, app, scopes: [], issuedAt: 0, expiresAt: undefined }) }
}

/** Judges tokens that the store keeps, and the tokens of apps. */
export class StoreAuth implements Authenticator {
  readonly #now: () => number
  readonly #secret: string
  readonly #appSecrets: AppSecrets
  readonly #remembered = new BoundedMap<Remembered>(REMEMBERED_TOKENS)

  constructor(options: { now: () => number; secret: string; appSecrets: AppSecrets }) {
    this.#now = options.now
    this.#secret = options.secret
    this.#appSecrets = options.appSecrets
  }

  keysOf(token: string): readonly string[] {
    return this.#recall(token)?.keys ?? []
  }

  authenticate(token: string, [record, family]: readonly (TokenRecord | undefined)[]): Verdict {
    const recalled = this.#recall(token)
    if (recalled === undefined) return appVerdict(token, this.#appSecrets)
    if (record === undefined || !hasGeneration(record) || !this.#belongs(recalled, record)) return UNKNOWN
    if (record.revokedAt !== undefined || record.generation !== generationOf(family))
      return { refused: 'revoked' }
    if (record.expiresAt !== undefined && record.expiresAt <= this.#now()) return { refused: 'expired' }
    return verdictOn(recalled, record)
  }

  #recall(token: string): Remembered | undefined {
    const known = this.#remembered.get(token)
    if (known !== undefined) return known
    const family = familyIn(token, this.#secret)
    if (family === undefined) return undefined
    const recalled: Remembered = { keys: [tokenKey(token), familyKey(family)], family }
    this.#remembered.set(token, recalled)
    return recalled
  }

  /** Whether the token's family is its viewer's: after the secret changed it is not, and revoking all would miss it. */
  #belongs(recalled: Remembered, record: TokenRecord): boolean {
    const viewer = record.viewer ?? ''
    if (
      recalled.viewer !== viewer &&
      equalInConstantTime(recalled.family, familyOf(record.viewer, this.#secret))
    ) {
      recalled.viewer = viewer
    }
    return recalled.viewer === viewer
  }
}
