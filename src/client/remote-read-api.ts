import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import type { OptionKinds } from '../base/options.ts'
import {
  assertReadOptions,
  READ_OPTION_KINDS,
  type ReadMethodName,
} from '../interface/assert-read-options.ts'
import type {
  GetEdgeEntryOptions,
  GetEdgeOptions,
  GetEdgesOptions,
  GetMeOptions,
  GetNodeOptions,
  GetNodesOptions,
  HasEdgeOptions,
  IterateEdgeOptions,
  Token,
} from '../interface/read-options.ts'
import { type ById, entryOf } from '../interface/results.ts'
import type { UntypedReads } from '../interface/untyped-reads.ts'
import type { PageWithSummary, UncertainSummary, UntypedNode } from '../schema/inference/result.ts'
import { CursorCycleDetector } from './cursor-cycle-detector.ts'
import { unexpectedResponseError } from './http-result.ts'
import {
  assertOwnParameters,
  type RemoteCallOptions,
  restoreCallerValue,
  toParameters,
} from './parameters.ts'
import type { RemoteRequest } from './remote-request.ts'
import type { RequestSender } from './request-sender.ts'
import {
  assertEdgeName,
  type RequestTarget,
  toEdgeTarget,
  toEntryTarget,
  toIdsTarget,
  toNodeTarget,
  toVersionedPath,
} from './request-target.ts'
import { toTokenText } from './token-text.ts'

const toRemoteKinds = ({ minRevision, ...kinds }: OptionKinds): OptionKinds =>
  'type' in kinds ? { ...kinds, type: 'text' } : kinds

/** The options of each remote read: the same as in-process, without `minRevision`. */
const REMOTE_OPTION_KINDS: { readonly [TMethod in ReadMethodName]: OptionKinds } = {
  getMe: toRemoteKinds(READ_OPTION_KINDS.getMe),
  getNode: toRemoteKinds(READ_OPTION_KINDS.getNode),
  getNodes: toRemoteKinds(READ_OPTION_KINDS.getNodes),
  getEdge: toRemoteKinds(READ_OPTION_KINDS.getEdge),
  getEdges: toRemoteKinds(READ_OPTION_KINDS.getEdges),
  getEdgeEntry: toRemoteKinds(READ_OPTION_KINDS.getEdgeEntry),
  hasEdge: toRemoteKinds(READ_OPTION_KINDS.hasEdge),
  iterateEdge: toRemoteKinds(READ_OPTION_KINDS.iterateEdge),
}

const isNode = (value: unknown): value is UntypedNode =>
  isNonArrayObject(value) && typeof value.id === 'string'

const isPage = (value: unknown): value is PageWithSummary<UntypedNode, UncertainSummary> =>
  isNonArrayObject(value) && Array.isArray(value.data)

const createByIdGuard =
  <TResult>(isResult: (value: unknown) => value is TResult) =>
  (value: unknown): value is ById<TResult> =>
    isNonArrayObject(value) &&
    Object.entries(value).every(([id, result]) => id === '__debug__' || isResult(result))

/** A call with valid options. The token is an empty string if the caller passed none. */
type ReadCall = { readonly token: string; readonly call: RemoteCallOptions }

/**
 * Validates a call.
 *
 * @throws TypeError for a token that is not a string, an unknown option, an option of the wrong type, or a
 * parameter of the edge with the name of a parameter of the call.
 */
const validateCall = (method: ReadMethodName, token: unknown, call: object): ReadCall => {
  assertReadOptions(method, call, REMOTE_OPTION_KINDS[method])
  assertOwnParameters(method, call)
  return { token: toTokenText(method, token), call }
}

/** Creates the result of a call with an empty list of ids. */
const createEmptyResult = ({ debug }: RemoteCallOptions): ById<never> => {
  const empty: ById<never> = {}
  return debug === undefined ? empty : Object.assign(empty, { __debug__: { messages: [] } })
}

/** The untyped reads of a remote graph. Each method validates the call and then sends the request. */
export class RemoteReadApi implements UntypedReads<Token> {
  readonly #sender: RequestSender
  readonly #version: string | undefined

  constructor(sender: RequestSender, version: string | undefined) {
    this.#sender = sender
    this.#version = version
  }

  async getMe(token: Token, options: GetMeOptions = {}) {
    return this.#read(validateCall('getMe', token, options), toNodeTarget('me'), isNode)
  }

  async getNode(token: Token, options: GetNodeOptions) {
    const readCall = validateCall('getNode', token, options)
    return this.#read(readCall, toNodeTarget(options.id), isNode)
  }

  async getNodes(token: Token, options: GetNodesOptions) {
    return this.#readByIds(validateCall('getNodes', token, options), '/', isNode)
  }

  async getEdge(token: Token, options: GetEdgeOptions) {
    const readCall = validateCall('getEdge', token, options)
    assertEdgeName(options.edge)
    return this.#read(readCall, toEdgeTarget(options.id, options.edge), isPage)
  }

  async getEdges(token: Token, options: GetEdgesOptions) {
    const readCall = validateCall('getEdges', token, options)
    assertEdgeName(options.edge)
    return this.#readByIds(readCall, `/${options.edge}`, isPage)
  }

  async hasEdge(token: Token, options: HasEdgeOptions) {
    const readCall = validateCall('hasEdge', token, options)
    assertEdgeName(options.edge)
    const target = toEntryTarget(options.id, options.edge, options.target)
    const idTarget = { ...target, parameters: [...target.parameters, ['fields', 'id']] } as const
    return (await this.#read(readCall, idTarget, isPage)).data.length > 0
  }

  async getEdgeEntry(token: Token, options: GetEdgeEntryOptions) {
    const readCall = validateCall('getEdgeEntry', token, options)
    assertEdgeName(options.edge)
    const target = toEntryTarget(options.id, options.edge, options.target)
    return entryOf(await this.#read(readCall, target, isPage))
  }

  async *iterateEdge(token: Token, options: IterateEdgeOptions) {
    validateCall('iterateEdge', token, options)
    // The caller may change the options between two pages.
    const pageOptions = { ...options, ...(options.parameters && { parameters: { ...options.parameters } }) }
    let { after } = pageOptions
    const cycleDetector = new CursorCycleDetector(after)
    for (;;) {
      const page = await this.getEdge(token, { ...pageOptions, after })
      yield* page.data
      if (page.paging?.next === undefined) return
      const nextCursor: unknown = page.paging.cursors?.after
      if (typeof nextCursor !== 'string') throw unexpectedResponseError({ after: describeValue(nextCursor) })
      cycleDetector.assertNew(nextCursor)
      after = nextCursor
    }
  }

  async #readByIds<TResult>(
    readCall: ReadCall,
    path: string,
    isResult: (value: unknown) => value is TResult,
  ): Promise<ById<TResult>> {
    const { call } = readCall
    const ids: readonly unknown[] = Array.isArray(call.ids) ? call.ids : []
    const request = this.#createRequest(readCall, toIdsTarget(path, ids))
    return ids.length === 0 ? createEmptyResult(call) : this.#send(request, call, createByIdGuard(isResult))
  }

  #read<TResult>(
    readCall: ReadCall,
    target: RequestTarget,
    isResult: (value: unknown) => value is TResult,
  ): Promise<TResult> {
    return this.#send(this.#createRequest(readCall, target), readCall.call, isResult)
  }

  /**
   * Creates a request.
   *
   * @throws GraphError `invalid_parameter` for values that are rejected before anything is sent.
   */
  #createRequest({ token, call }: ReadCall, { path, parameters }: RequestTarget): RemoteRequest {
    const { version = this.#version } = call
    return {
      path: toVersionedPath(path, version),
      parameters: [...parameters, ...toParameters(call)],
      token,
    }
  }

  async #send<TResult>(
    request: RemoteRequest,
    call: RemoteCallOptions,
    isResult: (value: unknown) => value is TResult,
  ): Promise<TResult> {
    const signal = call.signal instanceof AbortSignal ? call.signal : undefined
    const result = await this.#sender.send(request, signal).catch((error: unknown) => {
      throw restoreCallerValue(error, call)
    })
    if (!isResult(result)) throw unexpectedResponseError({ received: describeValue(result) })
    return result
  }
}
