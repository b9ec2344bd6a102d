import { endpointOfAction } from '../base/action-endpoint.ts'
import { describeValue, shortenText } from '../base/describe.ts'
import { GraphError, invalidParameterError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import { isName } from '../base/names.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { assertFields } from '../interface/assert-read-options.ts'
import type { CallActionOptions } from '../interface/call-action-options.ts'
import type { Token } from '../interface/read-options.ts'
import { toJsonMembers } from './action-values.ts'
import { unexpectedResponseError } from './http-result.ts'
import { assertOwnParameters, toParameters } from './parameters.ts'
import type { RemoteAction } from './remote-request.ts'
import type { RequestSender } from './request-sender.ts'
import { type RequestTarget, toEdgeTarget, toNodeTarget, toVersionedPath } from './request-target.ts'
import { toTokenText } from './token-text.ts'

const METHOD = 'callAction'

/** The options of a call: the same as in-process, without `minRevision`. */
const OPTION_KINDS = {
  type: 'text',
  id: 'any',
  action: 'text',
  parameters: 'record',
  fields: 'any',
  version: 'text',
  signal: 'signal',
  proof: 'text',
  idempotencyKey: 'text',
} as const satisfies OptionKinds

/** One to 255 printable characters of ASCII. HTTP removes spaces at the beginning and the end of a header. */
const KEY_PATTERN = /^(?! )[\x20-\x7e]{1,255}(?<! )$/

const assertKey = (key: string | undefined): void => {
  if (key === undefined || KEY_PATTERN.test(key)) return
  const expected = '1 to 255 printable ASCII characters, without a space at its beginning or end'
  throw invalidParameterError('idempotencyKey', expected, describeValue(key))
}

/** @throws TypeError for an unknown option, an option of the wrong type, or a missing name of an action. */
const assertOptions = (options: CallActionOptions): void => {
  assertObject(METHOD, options)
  assertOptionKinds(METHOD, options, OPTION_KINDS)
  assertFields(METHOD, options.fields)
  if (typeof options.action !== 'string')
    throw usageError(METHOD, 'action', 'a string', describeValue(options.action))
  assertOwnParameters(METHOD, options, 'action')
}

/** The request for an action: its path and parameters, and whether it is a `DELETE` request. */
type ActionTarget = RequestTarget & { readonly isDelete: boolean }

/** Returns the request target of an action. @throws GraphError for a name that no action has, or a wrong id. */
const toActionTarget = (id: unknown, action: string): ActionTarget => {
  const { method, subject } = endpointOfAction(action)
  const isDelete = method === 'DELETE'
  if (subject === undefined) return { ...toNodeTarget(id), isDelete }
  if (isName(subject)) return { ...toEdgeTarget(id, subject), isDelete }
  const shortName = shortenText(subject)
  throw new GraphError('field_not_found', `(#100) Tried accessing nonexisting field (${shortName})`, {
    name: shortName,
  })
}

/** The actions of a remote graph. */
export class RemoteActionApi {
  readonly #sender: RequestSender
  readonly #version: string | undefined

  constructor(sender: RequestSender, version: string | undefined) {
    this.#sender = sender
    this.#version = version
  }

  async callAction(token: Token, options: CallActionOptions): Promise<object> {
    assertOptions(options)
    const { id, action, parameters, idempotencyKey, signal, version = this.#version, ...call } = options
    assertKey(idempotencyKey)
    const target = toActionTarget(id, action)
    const remoteAction: RemoteAction = {
      values: { ...toJsonMembers(parameters ?? {}), ...(target.isDelete && { method: 'delete' }) },
      idempotencyKey,
    }
    const request = {
      path: toVersionedPath(target.path, version),
      parameters: [...target.parameters, ...toParameters(call)],
      token: toTokenText(METHOD, token),
      action: remoteAction,
    }
    const result = await this.#sender.send(request, signal)
    if (!isNonArrayObject(result)) throw unexpectedResponseError({ received: describeValue(result) })
    return result
  }
}
