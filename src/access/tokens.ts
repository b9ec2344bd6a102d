import { describeValue } from '../base/describe.ts'
import { GraphError, invalidParameterError } from '../base/errors.ts'
import { type IdKind, isIdOfKind, type NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { assertKnownOptions } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
import { assertWritesTokens } from '../store/assert-writes.ts'
import type { Store, StoreReadResult, TokenRecord } from '../store/contract.ts'
import { EMPTY_REQUEST, nodesRequest } from '../store/requests.ts'
import { toStoreSession } from '../store/store-session.ts'
import { type Authenticator, finishAuth, type StartedAuth } from './auth.ts'
import { toDeclinedScopes, toGrant } from './grant.ts'
import {
  computeTokenFamily,
  createToken,
  createTokenGeneration,
  digestToken,
  digestTokenFamily,
  tokenGenerationOf,
} from './token-family.ts'
import { type TokenInspection, toFailedInspection, toInspection } from './token-inspection.ts'

/** The options of a new token. */
export type TokenOptions = {
  /** The raw id of the viewer, or `undefined` for a token of the app alone. */
  readonly viewer?: NodeId | undefined
  readonly app: string
  readonly scopes?: readonly string[] | undefined
  /**
   * The scopes that the app requested and the viewer declined. They grant nothing. `tokens.inspect` returns them,
   * and `/me/permissions` shows them. Default: none.
   */
  readonly declined?: readonly string[] | undefined
  /**
   * The claims of the sessions of the token: a plain object of JSON values, with at most 10 levels and 16,384
   * characters. Whoever holds the token cannot change them. `tokens.inspect` returns them. Default: none.
   */
  readonly claims?: JsonObject | undefined
  /** The lifetime of the token in milliseconds. Default: the token does not expire. */
  readonly expiresInMs?: number | undefined
}

/** The options of `tokens.revokeAll`. */
export type RevokeAllOptions = { readonly viewer: NodeId }

/** The parts of a graph that {@link Tokens} uses. */
export type TokensDependencies = {
  readonly store: Store
  readonly auth: Authenticator
  readonly now: () => number
  readonly secret: string
  /** The kind of the ids of the graph. */
  readonly kind: IdKind
  /** The types that a viewer may have. */
  readonly viewerTypes: readonly string[]
}

/**
 * The options for reads of the newest state. On a stale replica, a new token would be missing, and a
 * revocation would silently do nothing.
 */
const NEWEST_READ_OPTIONS = { signal: undefined, deadline: undefined, minRevision: 'newest' }

type TokenRecords = {
  readonly record: TokenRecord | undefined
  readonly records: readonly (TokenRecord | undefined)[]
  readonly startedAuth: StartedAuth
}

/** Issues, inspects and revokes the tokens in the store. */
export class Tokens {
  readonly #dependencies: TokensDependencies

  constructor(dependencies: TokensDependencies) {
    this.#dependencies = dependencies
  }

  async issue(options: TokenOptions): Promise<string> {
    assertWritesTokens('tokens.issue', this.#dependencies.store)
    assertKnownOptions('tokens.issue', options, [
      'viewer',
      'app',
      'scopes',
      'declined',
      'claims',
      'expiresInMs',
    ])
    const { expiresInMs, declined } = options ?? {}
    const grant = toGrant('tokens.issue', options ?? {}, '', this.#dependencies.kind)
    const declinedScopes = toDeclinedScopes(declined, grant)
    if (expiresInMs !== undefined && !(Number.isSafeInteger(expiresInMs) && expiresInMs > 0)) {
      throw usageError('tokens.issue', 'expiresInMs', 'an integer of at least 1', describeValue(expiresInMs))
    }
    const { secret, now } = this.#dependencies
    const { viewer } = grant
    const issuedAt = now()
    const expiresAt = expiresInMs === undefined ? undefined : issuedAt + expiresInMs
    const session = { ...grant, issuedAt, expiresAt }
    const { viewerType, generation } = await this.#readViewer(session)
    const token = createToken(viewer, secret)
    await this.#putToken(digestToken(token), {
      ...session,
      revokedAt: undefined,
      generation,
      ...(viewerType !== undefined && { viewerType }),
      ...(declinedScopes.length > 0 && { declined: declinedScopes }),
    })
    return token
  }

  async revoke(token: string): Promise<void> {
    assertWritesTokens('tokens.revoke', this.#dependencies.store)
    const { record, records, startedAuth } = await this.#readRecords(token)
    if (record?.revokedAt !== undefined) return
    if (record !== undefined) {
      await this.#putToken(digestToken(token), { ...record, revokedAt: this.#dependencies.now() })
    } else if ('session' in (await finishAuth(startedAuth, records, undefined))) {
      // Without an error, the caller would believe that the token is revoked.
      throw invalidParameterError('token', 'a token that tokens.issue returned', 'a token of another kind')
    }
  }

  async revokeAll(options: { readonly viewer: NodeId }): Promise<void> {
    assertWritesTokens('tokens.revokeAll', this.#dependencies.store)
    assertKnownOptions('tokens.revokeAll', options, ['viewer'])
    if (!isIdOfKind(this.#dependencies.kind, options?.viewer)) {
      throw usageError('tokens.revokeAll', 'viewer', 'the id of a node', describeValue(options?.viewer))
    }
    await this.#startGeneration(options.viewer)
  }

  async inspect(token: string): Promise<TokenInspection> {
    const { record, records, startedAuth } = await this.#readRecords(token)
    const authResult = await finishAuth(startedAuth, records, undefined)
    if ('session' in authResult) return toInspection(authResult.session, record, undefined)
    const { failure } = authResult
    return record !== undefined && failure !== 'invalid'
      ? toInspection(record, record, failure)
      : toFailedInspection(failure)
  }

  /**
   * Reads the node of a viewer and token records, in one read. A store that reads by session reads the node for
   * the session of the new token, in a second read.
   */
  async #readViewerAndTokens(
    session: Session,
    digests: readonly string[],
  ): Promise<Pick<StoreReadResult, 'nodes' | 'tokens'>> {
    const { store } = this.#dependencies
    const nodes = session.viewer === undefined ? [] : [session.viewer]
    const tokensRequest = { ...EMPTY_REQUEST, tokens: digests }
    const storeSession = toStoreSession(store, session)
    if (storeSession === undefined || nodes.length === 0)
      return store.read({ ...tokensRequest, nodes }, NEWEST_READ_OPTIONS)
    const [{ tokens }, result] = await Promise.all([
      store.read(tokensRequest, NEWEST_READ_OPTIONS),
      store.read(nodesRequest(nodes), { ...NEWEST_READ_OPTIONS, session: storeSession }),
    ])
    return { nodes: result.nodes, tokens }
  }

  /**
   * Reads the type of a viewer and the current generation of the viewer's tokens, for the session of a new token.
   *
   * @throws GraphError `invalid_parameter` for a viewer who is not a node of a viewer type.
   */
  async #readViewer(session: Session): Promise<{ viewerType: string | undefined; generation: string }> {
    const { viewer } = session
    const { store, secret, viewerTypes } = this.#dependencies
    const familyDigests = [digestTokenFamily(computeTokenFamily(viewer, secret))]
    const result = await this.#readViewerAndTokens(session, familyDigests)
    const viewerType = result.nodes[0]?.type
    if (viewer !== undefined && !viewerTypes.includes(viewerType ?? '')) {
      throw invalidParameterError(
        'viewer',
        `the id of a node of type ${viewerTypes.join(' or ')}`,
        describeValue(viewer),
      )
    }
    const currentGeneration = tokenGenerationOf(result.tokens[0])
    if (currentGeneration !== undefined) return { viewerType, generation: currentGeneration }
    // An older version of the library wrote a record without a generation, so no token of the family is
    // valid. Start a generation. If another call starts a generation at the same time, the read below returns
    // the stored generation.
    const startedGeneration = await this.#startGeneration(viewer)
    const [familyRecord] = (
      await store.read({ ...EMPTY_REQUEST, tokens: familyDigests }, NEWEST_READ_OPTIONS)
    ).tokens
    return { viewerType, generation: tokenGenerationOf(familyRecord) ?? startedGeneration }
  }

  /**
   * Revokes all tokens of a viewer. Writes a new generation to the record of their family, and returns the
   * generation. The revocation depends neither on a clock nor on an earlier read.
   */
  async #startGeneration(viewer: NodeId | undefined): Promise<string> {
    const now = this.#dependencies.now()
    const generation = createTokenGeneration()
    await this.#putToken(digestTokenFamily(computeTokenFamily(viewer, this.#dependencies.secret)), {
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

  /**
   * Reads the records that authenticate a token. `record` is the record of the token itself if this graph
   * issued the token.
   */
  async #readRecords(token: string): Promise<TokenRecords> {
    if (typeof token !== 'string' || token === '') {
      throw new GraphError('token_missing', '(#104) An access token is required')
    }
    const { store, auth } = this.#dependencies
    const startedAuth = auth.start(token)
    const { digests } = startedAuth
    const records =
      digests.length === 0
        ? []
        : (await store.read({ ...EMPTY_REQUEST, tokens: digests }, NEWEST_READ_OPTIONS)).tokens
    return { record: records[digests.indexOf(digestToken(token))], records, startedAuth }
  }

  async #putToken(digest: string, record: TokenRecord): Promise<void> {
    await this.#dependencies.store.write([{ op: 'putToken', digest, token: record }], { signal: undefined })
  }
}
