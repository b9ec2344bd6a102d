import { assertCallOptions, assertIdList } from '../base/assert-call.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import type { OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { isVersion } from '../base/version.ts'
import type { PageWithSummary, UntypedNode } from '../schema/inference/result.ts'
import type { ClientSettings } from './client-options.ts'
import { CursorCycleDetector } from './cursor-cycle-detector.ts'
import { unexpectedResponseError } from './http-result.ts'
import { type RemoteCallOptions, restoreCallerValue, toParameters } from './parameters.ts'
import type { RemoteRequest } from './remote-request.ts'
import { RequestSender } from './request-sender.ts'
import {
  assertEdgeName,
  type RequestTarget,
  toEdgeTarget,
  toEntryTarget,
  toIdsTarget,
  toNodeTarget,
} from './request-target.ts'

const CALL_OPTION_KINDS = {
  fields: 'any',
  metadata: 'boolean',
  version: 'text',
  signal: 'any',
  debug: 'any',
  partial: 'boolean',
  proof: 'text',
} as const

const EDGE_OPTION_KINDS = {
  type: 'text',
  edge: 'text',
  limit: 'any',
  after: 'any',
  before: 'any',
  since: 'any',
  until: 'any',
  order: 'any',
  summary: 'any',
  ...CALL_OPTION_KINDS,
} as const

// An iteration has one direction and returns only entries.
const { before, summary, metadata, debug, ...ITERATE_OPTION_KINDS } = EDGE_OPTION_KINDS

/**
 * The options of each read: those of in-process reads, without those that only the process of a store
 * supports.
 */
const METHOD_OPTION_KINDS = {
  getMe: CALL_OPTION_KINDS,
  getNode: { id: 'any', type: 'text', ...CALL_OPTION_KINDS },
  getNodes: { ids: 'any', ...CALL_OPTION_KINDS },
  getEdge: { id: 'any', ...EDGE_OPTION_KINDS },
  getEdges: { ids: 'any', ...EDGE_OPTION_KINDS },
  hasEdge: { id: 'any', type: 'text', edge: 'any', target: 'any', signal: 'any', proof: 'text' },
  iterateEdge: { id: 'any', ...ITERATE_OPTION_KINDS },
} as const satisfies { readonly [method: string]: OptionKinds }

type Method = keyof typeof METHOD_OPTION_KINDS

const isNode = (value: unknown): value is UntypedNode =>
  isNonArrayObject(value) && typeof value.id === 'string'

const isPage = (value: unknown): value is PageWithSummary<UntypedNode> =>
  isNonArrayObject(value) && Array.isArray(value.data)

const createByIdGuard =
  <TResult>(isResult: (value: unknown) => value is TResult) =>
  (value: unknown): value is { [id: string]: TResult } =>
    isNonArrayObject(value) &&
    Object.entries(value).every(([id, result]) => id === '__debug__' || isResult(result))

/** A call with valid options. The token is empty if there is none. */
type ReadCall = { readonly method: Method; readonly token: string; readonly call: RemoteCallOptions }

/**
 * Validates a call.
 *
 * @throws TypeError for a token that is not a string, an unknown option, or an option of the wrong type.
 */
const validateCall = (method: Method, token: unknown, call: RemoteCallOptions): ReadCall => {
  assertCallOptions(method, call, METHOD_OPTION_KINDS[method])
  if (typeof token === 'string') return { method, token, call }
  if (token === undefined || token === null) return { method, token: '', call }
  const expected = 'a string, since a session is valid only in the process of its graph'
  throw usageError(method, 'token', expected, describeValue(token))
}

/** Returns the result of a call without ids. */
const createEmptyResult = ({ debug }: RemoteCallOptions): { [id: string]: never } => {
  const empty: { [id: string]: never } = {}
  return debug === undefined ? empty : Object.assign(empty, { __debug__: { messages: [] } })
}

/** The untyped reads of a remote graph. Each validates its call, then sends the request. */
export class RemoteReadApi {
  readonly #sender: RequestSender
  readonly #version: string | undefined

  constructor(settings: ClientSettings) {
    this.#sender = new RequestSender(settings)
    this.#version = settings.version
  }

  async getMe(token: unknown, call: RemoteCallOptions = {}): Promise<UntypedNode> {
    return this.#read(validateCall('getMe', token, call), toNodeTarget('me'), isNode)
  }

  async getNode(token: unknown, call: RemoteCallOptions): Promise<UntypedNode> {
    const readCall = validateCall('getNode', token, call)
    return this.#read(readCall, toNodeTarget(call.id), isNode)
  }

  async getNodes(token: unknown, call: RemoteCallOptions): Promise<{ [id: string]: UntypedNode }> {
    return this.#readByIds(validateCall('getNodes', token, call), '/', isNode)
  }

  async getEdge(token: unknown, call: RemoteCallOptions): Promise<PageWithSummary<UntypedNode>> {
    const readCall = validateCall('getEdge', token, call)
    assertEdgeName('getEdge', call.edge)
    return this.#read(readCall, toEdgeTarget(call.id, call.edge), isPage)
  }

  async getEdges(
    token: unknown,
    call: RemoteCallOptions,
  ): Promise<{ [id: string]: PageWithSummary<UntypedNode> }> {
    const readCall = validateCall('getEdges', token, call)
    assertEdgeName('getEdges', call.edge)
    return this.#readByIds(readCall, `/${call.edge}`, isPage)
  }

  async hasEdge(token: unknown, call: RemoteCallOptions): Promise<boolean> {
    const readCall = validateCall('hasEdge', token, call)
    assertEdgeName('hasEdge', call.edge)
    const { data } = await this.#read(readCall, toEntryTarget(call.id, call.edge, call.target), isPage)
    return data.length > 0
  }

  /** Yields the entries of all pages, and reads each page when it is needed. */
  async *iterateEdge(token: unknown, call: RemoteCallOptions): AsyncGenerator<UntypedNode, void> {
    let { after } = validateCall('iterateEdge', token, call).call
    const cycleDetector = new CursorCycleDetector(after)
    for (;;) {
      const page = await this.getEdge(token, { ...call, after })
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
  ): Promise<{ [id: string]: TResult }> {
    const { method, call } = readCall
    assertIdList(method, call.ids)
    const request = this.#createRequest(readCall, toIdsTarget(path, call.ids))
    return call.ids.length === 0
      ? createEmptyResult(call)
      : this.#send(request, call, createByIdGuard(isResult))
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
    if (version !== undefined && !isVersion(version))
      throw invalidParameterError('version', 'a version such as v1.0', describeValue(version))
    return {
      path: version === undefined ? path : `/${version}${path}`,
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
