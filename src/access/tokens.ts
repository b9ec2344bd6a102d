import { describe } from '../base/describe.ts'
import { badParameter, GraphError } from '../base/faults.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import { assertOptions } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import type { NodeRecord, Store, TokenRecord } from '../store/contract.ts'
import { NOTHING } from '../store/nothing.ts'
import { type Authenticator, UNKNOWN } from './auth.ts'
import { familyKey, familyOf, newToken, tokenKey } from './token-text.ts'

/** Whom a new token is for. */
export type TokenRequest = {
  /** The id of a person or page; undefined for a token of the app alone. */
  readonly viewer?: NodeId | undefined
  readonly app: string
  readonly scopes?: readonly string[] | undefined
  /** Milliseconds from now; default: never. */
  readonly expiresIn?: number | undefined
}

/** What is known of a token. Times are milliseconds since the epoch. */
export type TokenInspection = {
  readonly valid: boolean
  /** Why it is not valid; undefined where it is. */
  readonly refused: 'unknown' | 'expired' | 'revoked' | undefined
  readonly app: string | undefined
  readonly viewer: NodeId | undefined
  /** The type of the viewer's node, `app` for a token without a viewer; undefined where the node is gone. */
  readonly type: string | undefined
  readonly scopes: readonly string[]
  readonly issuedAt: number | undefined
  readonly expiresAt: number | undefined
}

/** What the tokens of a graph are made with. */
export type TokensInput = {
  readonly store: Store
  readonly auth: Authenticator
  readonly now: () => number
  readonly secret: string
  /** The types that a token may stand for. */
  readonly viewers: readonly string[]
}

const READ = { signal: undefined, deadline: undefined, atLeast: undefined }

/** @throws TypeError for what is no viewer, app or list of scopes. */
export const assertGrant = (place: string, viewer: unknown, app: unknown, scopes: unknown): void => {
  if (viewer !== undefined && !isNodeId(viewer)) {
    throw new TypeError(`${place}: viewer must be the id of a node or left out, came ${describe(viewer)}`)
  }
  if (typeof app !== 'string' || app === '' || !app.isWellFormed()) {
    throw new TypeError(`${place}: app must be the name of an app, came ${describe(app)}`)
  }
  const isWords =
    Array.isArray(scopes) && scopes.every(scope => typeof scope === 'string' && scope.isWellFormed())
  if (scopes !== undefined && !isWords) {
    throw new TypeError(`${place}: scopes must be a list of words, came ${describe(scopes)}`)
  }
}

/** Issues and ends the tokens that the store keeps. */
export class Tokens {
  readonly #input: TokensInput

  constructor(input: TokensInput) {
    this.#input = input
  }

  async issue(request: TokenRequest): Promise<string> {
    assertOptions('tokens.issue', request, ['viewer', 'app', 'scopes', 'expiresIn'])
    const { viewer, app, scopes, expiresIn } = request ?? {}
    assertGrant('tokens.issue', viewer, app, scopes)
    if (expiresIn !== undefined && !(Number.isSafeInteger(expiresIn) && expiresIn > 0)) {
      throw new TypeError(
        `tokens.issue: expiresIn must be positive milliseconds, came ${describe(expiresIn)}`,
      )
    }
    const { secret } = this.#input
    if (viewer !== undefined) await this.#assertViewer(viewer)
    const issuedAt = await this.#laterThanRevoked(familyKey(familyOf(viewer, secret)))
    const token = newToken(viewer, secret)
    await this.#put(tokenKey(token), {
      viewer,
      app,
      scopes: [...(scopes ?? [])],
      issuedAt,
      expiresAt: expiresIn === undefined ? undefined : issuedAt + expiresIn,
      revokedAt: undefined,
    })
    return token
  }

  async revoke(token: string): Promise<void> {
    const { record } = await this.#find(token)
    if (record !== undefined && record.revokedAt === undefined) {
      await this.#put(tokenKey(token), { ...record, revokedAt: this.#input.now() })
    }
  }

  async revokeAll(request: { readonly viewer: NodeId }): Promise<void> {
    assertOptions('tokens.revokeAll', request, ['viewer'])
    if (!isNodeId(request?.viewer)) {
      throw new TypeError(
        `tokens.revokeAll: viewer must be the id of a node, came ${describe(request?.viewer)}`,
      )
    }
    const { viewer } = request
    const key = familyKey(familyOf(viewer, this.#input.secret))
    const revokedAt = await this.#laterThanRevoked(key)
    await this.#put(key, {
      viewer,
      app: '',
      scopes: [],
      issuedAt: revokedAt,
      expiresAt: undefined,
      revokedAt,
    })
  }

  async inspect(token: string): Promise<TokenInspection> {
    const { record, records } = await this.#find(token)
    const verdict = (await this.#input.auth.authenticate(token, records, undefined)) ?? UNKNOWN
    if ('session' in verdict) return this.#describe(verdict.session, undefined)
    const { refused } = verdict
    if (record !== undefined && refused !== 'unknown') return this.#describe(record, refused)
    const unknown = {
      app: undefined,
      viewer: undefined,
      type: undefined,
      issuedAt: undefined,
      expiresAt: undefined,
    }
    return { valid: false, refused: 'unknown', scopes: [], ...unknown }
  }

  /** @throws GraphError `bad_parameter` for a viewer who is no node that a token may stand for. */
  async #assertViewer(viewer: NodeId): Promise<void> {
    const { viewers } = this.#input
    const type = (await this.#node(viewer))?.type ?? ''
    if (viewers.includes(type)) return
    throw badParameter('viewer', `the id of a node of type ${viewers.join(' or ')}`, describe(viewer))
  }

  /** Now, or a millisecond after all tokens of the family were last revoked: a clock need not tick between the two. */
  async #laterThanRevoked(familyRecordKey: string): Promise<number> {
    const { store, now } = this.#input
    const [record] = (await store.read({ ...NOTHING, tokens: [familyRecordKey] }, READ)).tokens
    return Math.max(now(), (record?.revokedAt ?? Number.NEGATIVE_INFINITY) + 1)
  }

  async #find(
    token: string,
  ): Promise<{ record: TokenRecord | undefined; records: readonly (TokenRecord | undefined)[] }> {
    if (typeof token !== 'string' || token === '') {
      throw new GraphError('token_missing', '(#104) A token is required')
    }
    const { store, auth } = this.#input
    const tokens = auth.keysOf(token)
    const records = tokens.length === 0 ? [] : (await store.read({ ...NOTHING, tokens }, READ)).tokens
    return { record: records[0], records }
  }

  async #describe(
    { viewer, app, scopes, issuedAt, expiresAt }: Session | TokenRecord,
    refused: TokenInspection['refused'],
  ): Promise<TokenInspection> {
    const node = viewer === undefined ? undefined : await this.#node(viewer)
    const type = viewer === undefined ? 'app' : node?.type
    return {
      valid: refused === undefined,
      refused,
      app,
      viewer,
      type,
      scopes: [...scopes],
      issuedAt,
      expiresAt,
    }
  }

  async #node(id: NodeId): Promise<NodeRecord | undefined> {
    return (await this.#input.store.read({ ...NOTHING, nodes: [id] }, READ)).nodes[0]
  }

  async #put(digest: string, token: TokenRecord): Promise<void> {
    await this.#input.store.write([{ op: 'putToken', digest, token }], { signal: undefined })
  }
}
