import { invalidParameterError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import type { RequestLimits } from './handler-options.ts'
import { readBody } from './read-body.ts'
import { headerOf, type WireRequest, type WireResponse } from './wire.ts'

/**
 * The members of a `node:http` request that the listener uses. Requests of frameworks on top of `node:http`
 * have these members too.
 */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The URL before a framework removed the mount path. */
  readonly originalUrl?: string | undefined
  readonly headers: WireRequest['headers']
  readonly socket: object
  /** The body, if a framework has already read it. */
  readonly body?: unknown
  /**
   * Iterates over the body. With `destroyOnReturn: false`, stopping early does not destroy the connection.
   */
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
}

/** Headers by name. Each text in a list is sent as a separate header. */
export type NodeResponseHeaders = { readonly [name: string]: string | number | string[] }

/** The members of a `node:http` response that the listener uses. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableEnded: boolean
  /** Writes the status and the headers. */
  writeHead(status: number, headers: NodeResponseHeaders): unknown
  /** Ends the response without a body. */
  end(): unknown
  /** Ends the response with a body. Text is sent in UTF-8. */
  end(body: string | Uint8Array): unknown
  /** Ends the response with text in which each character is one byte. */
  end(body: string, encoding: 'latin1'): unknown
  /** Listens for the end of the response or of its connection. */
  on(event: 'close', listener: () => void): unknown
}

type HeadersAndBody = Pick<WireRequest, 'headers' | 'body'>

/**
 * Formats a parsed body as JSON. This fails if a body is nested too deeply, even if the body was parsed from
 * JSON.
 */
const stringifyBody = (body: unknown): string => {
  try {
    return JSON.stringify(body)
  } catch {
    throw invalidParameterError('body', 'a JSON object', 'JSON with too many levels')
  }
}

/** Restores a body that a framework has read. A parsed body becomes JSON text again. */
const restoreBody = ({ headers, body }: NodeRequest): HeadersAndBody =>
  typeof body === 'string' || body instanceof Uint8Array
    ? { headers, body }
    : { headers: { ...headers, 'content-type': 'application/json' }, body: stringifyBody(body) }

/** Whether a framework has read the body. Some parsers set an empty object even if they have read nothing. */
const isParsedBody = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  (isNonArrayObject(body) && Object.keys(body).length > 0)

/** Reads the body of a request, unless a framework has already read it. */
export const readRequestBody = async (
  request: NodeRequest,
  limits: RequestLimits,
): Promise<HeadersAndBody> => {
  const { headers, body } = request
  if (isParsedBody(body)) return restoreBody(request)
  const chunks = request.iterator({ destroyOnReturn: false })
  return { headers, body: await readBody(chunks, headerOf(request, 'content-encoding'), limits) }
}

/** The HTTP/2 header that contains the host. */
export const AUTHORITY_HEADER_NAME = ':authority'

const pathOf = ({ url = '/', originalUrl }: NodeRequest): string => originalUrl ?? url

const isEncryptedConnection = ({ socket }: NodeRequest): boolean =>
  'encrypted' in socket && socket.encrypted === true

/**
 * Returns the absolute URL of a request. If the request has no host or the URL is already absolute, returns
 * the URL unchanged.
 */
export const toAbsoluteUrl = (request: NodeRequest): string => {
  const { headers } = request
  const path = pathOf(request)
  const { host = headers[AUTHORITY_HEADER_NAME] } = headers
  if (typeof host !== 'string' || !path.startsWith('/')) return path
  return `${isEncryptedConnection(request) ? 'https' : 'http'}://${host}${path}`
}

/**
 * Returns the path if the header `Host` is enough to determine the origin, because building and parsing a
 * whole URL takes time. Otherwise returns the absolute URL.
 */
export const toShortUrl = (request: NodeRequest): string =>
  isEncryptedConnection(request) || request.headers.host === undefined
    ? toAbsoluteUrl(request)
    : pathOf(request)

/** Whether every character of the body is one byte in UTF-8. Node sends such a body faster as Latin-1. */
const hasAsciiBody = ({ headers, body }: WireResponse): boolean =>
  body !== undefined && headers['Content-Length'] === `${body.length}`

/** Sends a response, unless other middleware has already responded, such as a timeout of the framework. */
export const sendResponse = (
  response: NodeResponse,
  wireResponse: WireResponse,
  closesConnection: boolean,
): void => {
  if (response.headersSent) return
  const { status, headers, body } = wireResponse
  response.writeHead(status, closesConnection ? { ...headers, Connection: 'close' } : headers)
  // Passes the body as a string, because Node sends a string together with the headers.
  if (body === undefined) response.end()
  else if (hasAsciiBody(wireResponse)) response.end(body, 'latin1')
  else response.end(body)
}
