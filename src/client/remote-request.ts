import type { JsonObject } from '../base/json.ts'
import type { ClientSettings } from './client-options.ts'
import type { QueryParameter } from './parameters.ts'

/** The parts of a request that only the call of an action has. */
export type RemoteAction = {
  /** The values of the parameters, and the method if it is not `POST`. */
  readonly values: JsonObject
  readonly idempotencyKey: string | undefined
}

/** One call, independent of how it is sent. */
export type RemoteRequest = {
  /** The path relative to the base URL. It begins with a slash. */
  readonly path: string
  readonly parameters: readonly QueryParameter[]
  /** The token, or an empty string if the call has no token. */
  readonly token: string
  /** The action that the request calls; undefined for a read. */
  readonly action?: RemoteAction
}

/** The maximum length of a URL. All common proxies and servers accept it. */
const MAX_URL_LENGTH = 2000

const encodeParameters = (parameters: readonly QueryParameter[]): string =>
  new URLSearchParams(parameters.map(([name, text]): [string, string] => [name, text])).toString()

/** A request with its parameters encoded. */
type EncodedRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body: string | undefined
}

const encodeAsForm = (url: string, parameters: readonly QueryParameter[]): EncodedRequest => ({
  method: 'POST',
  url,
  body: encodeParameters([...parameters, ['method', 'get']]),
})

/** Encodes parameters in the query, or in a form if the URL would be too long. */
const encodeRequest = (url: string, parameters: readonly QueryParameter[]): EncodedRequest => {
  const query = encodeParameters(parameters)
  const urlWithQuery = query === '' ? url : `${url}?${query}`
  return urlWithQuery.length > MAX_URL_LENGTH
    ? encodeAsForm(url, parameters)
    : { method: 'GET', url: urlWithQuery, body: undefined }
}

const addTokenParameter = ({ parameters, token }: RemoteRequest): readonly QueryParameter[] =>
  token === '' ? parameters : [...parameters, ['access_token', token]]

/** Responses must equal in-process results, whose links are relative and contain no token. */
const DEFAULT_HEADERS = { Accept: 'application/json', 'kithgraph-links': 'relative' }

const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' }

const JSON_HEADERS = { 'Content-Type': 'application/json' }

/** The target of a redirect is unknown and must not receive a token. */
const REDIRECT_INIT = { redirect: 'manual' } as const

type RequestSettings = Pick<ClientSettings, 'baseUrl' | 'tokenIn'>

/** The arguments of `fetch`. */
export type FetchArguments = readonly [url: string, init: RequestInit]

/** Whether a header can contain a token. The error of `fetch` for another header would show the token. */
const fitsInHeader = (token: string): boolean => /^[\x21-\x7e]+$/.test(token)

/**
 * Converts the call of an action. It is always a `POST` request with a JSON body, because some proxies drop or
 * reject the body of a `DELETE` request.
 */
const toActionFetchArguments = (
  { baseUrl, tokenIn }: RequestSettings,
  request: RemoteRequest,
  { values, idempotencyKey }: RemoteAction,
): FetchArguments => {
  const { path, token } = request
  const isInHeader = tokenIn === 'header' && fitsInHeader(token)
  const parameters = isInHeader ? request.parameters : addTokenParameter(request)
  const headers = {
    ...DEFAULT_HEADERS,
    ...JSON_HEADERS,
    ...(isInHeader && { Authorization: `Bearer ${token}` }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  }
  const body = JSON.stringify({ ...Object.fromEntries(parameters), ...values })
  return [baseUrl + path, { method: 'POST', headers, ...REDIRECT_INIT, body }]
}

/** Converts one request to the arguments of `fetch`. */
export const toFetchArguments = (settings: RequestSettings, request: RemoteRequest): FetchArguments => {
  if (request.action !== undefined) return toActionFetchArguments(settings, request, request.action)
  const { baseUrl, tokenIn } = settings
  const { path, parameters, token } = request
  const url = baseUrl + path
  const isInHeader = tokenIn === 'header' && token !== ''
  const fitsHeader = fitsInHeader(token)
  const { body, ...encodedRequest } = !isInHeader
    ? encodeRequest(url, addTokenParameter(request))
    : fitsHeader
      ? encodeRequest(url, parameters)
      : encodeAsForm(url, addTokenParameter(request))
  const authorization = isInHeader && fitsHeader ? { Authorization: `Bearer ${token}` } : {}
  const headers = { ...DEFAULT_HEADERS, ...authorization, ...(body !== undefined && FORM_HEADERS) }
  return [
    encodedRequest.url,
    { method: encodedRequest.method, headers, ...REDIRECT_INIT, ...(body !== undefined && { body }) },
  ]
}

/**
 * Combines several requests into one batch. Each request in the batch has its own token, so that no request
 * runs with the token of another one.
 */
export const toBatchFetchArguments = (
  { baseUrl }: Pick<ClientSettings, 'baseUrl'>,
  requests: readonly RemoteRequest[],
): FetchArguments => {
  const batch = requests.map(request => {
    const { method, url, body } = encodeRequest(request.path.slice(1), addTokenParameter(request))
    return { method, relative_url: url, ...(body !== undefined && { body }) }
  })
  const headers = { ...DEFAULT_HEADERS, ...JSON_HEADERS }
  const body = JSON.stringify({ batch, include_headers: false })
  return [`${baseUrl}/`, { method: 'POST', headers, ...REDIRECT_INIT, body }]
}
