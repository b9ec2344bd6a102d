import { describe } from '../base/describe.ts'
import { badParameter, GraphError } from '../base/faults.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import { assertOptions } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import type { Store, TokenRecord } from '../store/contract.ts'
import { NOTHING } from '../store/nothing.ts'
import { type Authenticator, cannotJudge, UNKNOWN, type Verdict } from './auth.ts'
import { generationOf, newGeneration } from './generations.ts'
import { toGrant } from './grant.ts'
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
  /**
   * The type of the viewer's node when `issue` made the token, `app` for a token without a viewer; undefined for tokens of
   * other kinds, since no node is read.
   */
  readonly type: string | undefined
  readonly scopes: readonly string[]
  /** 0 where the token does not say. */
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

/** What is not there yet would be taken for what is not there: a revocation would do nothing, and say that all is well. */
const READ = { signal: undefined, deadline: undefined, atLeast: 'newest' }

/** What is known of a token; the type of its viewer is known from the record that `issue` wrote of it. */
const inspectionOf = (
  { viewer, app, scopes, issuedAt, expiresAt }: Session | TokenRecord,
  record: TokenRecord | undefined,
  refused: TokenInspection['refused'],
): TokenInspection => {
  const ofViewer = record?.viewer === viewer ? record?.viewerType : undefined
  const type = viewer === undefined ? 'app' : ofViewer
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

/** Issues and ends the tokens that the store keeps. */
export class Tokens {
  readonly #input: TokensInput

  constructor(input: TokensInput) {
    this.#input = input
  }

  async issue(request: TokenRequest): Promise<string> {
    assertOptions('tokens.issue', request, ['viewer', 'app', 'scopes', 'expiresIn'])
    const { expiresIn } = request ?? {}
    const grant = toGrant('tokens.issue', request ?? {})
    if (expiresIn !== undefined && !(Number.isSafeInteger(expiresIn) && expiresIn > 0)) {
      throw new TypeError(
        `tokens.issue: expiresIn must be positive milliseconds, came ${describe(expiresIn)}`,
      )
    }
    const { secret, now } = this.#input
    const { viewer } = grant
    const { viewerType, generation } = await this.#stateOf(viewer)
    const issuedAt = now()
    const token = newToken(viewer, secret)
    await this.#put(tokenKey(token), {
      ...grant,
      issuedAt,
      expiresAt: expiresIn === undefined ? undefined : issuedAt + expiresIn,
      revokedAt: undefined,
      generation,
      ...(viewerType !== undefined && { viewerType }),
    })
    return token
  }

  async revoke(token: string): Promise<void> {
    const { record, records } = await this.#find(token)
    if (record?.revokedAt !== undefined) return
    if (record !== undefined) {
      await this.#put(tokenKey(token), { ...record, revokedAt: this.#input.now() })
    } else if ('session' in (await this.#judge(token, records))) {
      // Whoever revokes a token believes afterwards that it lets nobody in.
      throw badParameter('token', 'a token that tokens.issue made', 'one that lets in by other means')
    }
  }

  async revokeAll(request: { readonly viewer: NodeId }): Promise<void> {
    assertOptions('tokens.revokeAll', request, ['viewer'])
    if (!isNodeId(request?.viewer)) {
      throw new TypeError(
        `tokens.revokeAll: viewer must be the id of a node, came ${describe(request?.viewer)}`,
      )
    }
    await this.#beginGeneration(request.viewer)
  }

  async inspect(token: string): Promise<TokenInspection> {
    const { record, records } = await this.#find(token)
    const verdict = await this.#judge(token, records)
    if ('session' in verdict) return inspectionOf(verdict.session, record, undefined)
    const { refused } = verdict
    if (record !== undefined && refused !== 'unknown') return inspectionOf(record, record, refused)
    const unknown = {
      app: undefined,
      viewer: undefined,
      type: undefined,
      issuedAt: undefined,
      expiresAt: undefined,
    }
    return { valid: false, refused, scopes: [], ...unknown }
  }

  /**
   * The type of a viewer and the generation that tokens of this viewer are in, both as they are now, in one read.
   *
   * @throws GraphError `bad_parameter` for a viewer who is no node that a token may stand for.
   */
  async #stateOf(
    viewer: NodeId | undefined,
  ): Promise<{ viewerType: string | undefined; generation: string }> {
    const { store, secret, viewers } = this.#input
    const nodes = viewer === undefined ? [] : [viewer]
    const tokens = [familyKey(familyOf(viewer, secret))]
    const read = await store.read({ ...NOTHING, nodes, tokens }, READ)
    const viewerType = read.nodes[0]?.type
    if (viewer !== undefined && !viewers.includes(viewerType ?? '')) {
      throw badParameter('viewer', `the id of a node of type ${viewers.join(' or ')}`, describe(viewer))
    }
    const known = generationOf(read.tokens[0])
    if (known !== undefined) return { viewerType, generation: known }
    // No token of a family whose record has no generation is valid: a new one begins, unless another call's has replaced it.
    const begun = await this.#beginGeneration(viewer)
    const [family] = (await store.read({ ...NOTHING, tokens }, READ)).tokens
    return { viewerType, generation: generationOf(family) ?? begun }
  }

  /** Ends all tokens of a viewer by a new generation. It depends on no clock and on nothing that was read. */
  async #beginGeneration(viewer: NodeId | undefined): Promise<string> {
    const now = this.#input.now()
    const generation = newGeneration()
    await this.#put(familyKey(familyOf(viewer, this.#input.secret)), {
      viewer,
      app: '',
      scopes: [],
      issuedAt: now,
      expiresAt: undefined,
      revokedAt: now,
      generation,
    })
    return generation
  }

  /** What the store holds for judging a token; `record` is the token's own, where this graph issued it. */
  async #find(
    token: string,
  ): Promise<{ record: TokenRecord | undefined; records: readonly (TokenRecord | undefined)[] }> {
    if (typeof token !== 'string' || token === '') {
      throw new GraphError('token_missing', '(#104) A token is required')
    }
    const { store, auth } = this.#input
    const tokens = auth.keysOf(token)
    const records = tokens.length === 0 ? [] : (await store.read({ ...NOTHING, tokens }, READ)).tokens
    return { record: records[tokens.indexOf(tokenKey(token))], records }
  }

  async #judge(token: string, records: readonly (TokenRecord | undefined)[]): Promise<Verdict> {
    try {
      return (await this.#input.auth.authenticate(token, records, undefined)) ?? UNKNOWN
    } catch (error) {
      return cannotJudge(error)
    }
  }

  async #put(digest: string, token: TokenRecord): Promise<void> {
    await this.#input.store.write([{ op: 'putToken', digest, token }], { signal: undefined })
  }
}
