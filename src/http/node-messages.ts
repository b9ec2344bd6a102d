import { invalidParameterError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import type { RequestLimits } from './handler-options.ts'
import { readBody } from './read-body.ts'
import { headerOf, type WireRequest, type WireResponse } from './wire.ts'

/** The used part of a request of `node:http`, or of a framework on top of it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The full URL, before a framework removed the mount path. */
  readonly originalUrl?: string | undefined
  readonly headers: WireRequest['headers']
  readonly socket: object
  /** The body, if a framework has already read it. */
  readonly body?: unknown
  /** Iterates the body. Stopping early does not destroy the connection. */
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
}

/** The used part of a response of `node:http`. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableEnded: boolean
  /** Begins the response. */
  writeHead(status: number, headers: { readonly [name: string]: string | number }): unknown
  /** Ends the response without a body. */
  end(): unknown
  /** Ends the response with a body. Text is sent in UTF-8. */
  end(body: string | Uint8Array): unknown
  /** Ends the response with text whose characters are one byte each. */
  end(body: string, encoding: 'latin1'): unknown
  /** Listens for the end of the connection. */
  on(event: 'close', listener: () => void): unknown
}

type HeadersAndBody = Pick<WireRequest, 'headers' | 'body'>

/** Formats a parsed body. JSON can be parsed that is too deep to be printed again. */
const stringifyBody = (body: unknown): string => {
  try {
    return JSON.stringify(body)
  } catch {
    throw invalidParameterError('body', 'a JSON object', 'another body')
  }
}

/** Restores the body that a framework has parsed, in a form that parses like the original. */
const restoreBody = ({ headers, body }: NodeRequest): HeadersAndBody =>
  typeof body === 'string' || body instanceof Uint8Array
    ? { headers, body }
    : { headers: { ...headers, 'content-type': 'application/json' }, body: stringifyBody(body) }

/** Some parsers leave an empty object if they read nothing. */
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

/** The header in which HTTP/2 names the host. */
export const AUTHORITY_HEADER_NAME = ':authority'

const pathOf = ({ url = '/', originalUrl }: NodeRequest): string => originalUrl ?? url

const isEncryptedConnection = ({ socket }: NodeRequest): boolean =>
  'encrypted' in socket && socket.encrypted === true

/** Returns the absolute URL of a request; only its path if it names no host. */
export const toAbsoluteUrl = (request: NodeRequest): string => {
  const { headers } = request
  const path = pathOf(request)
  const { host = headers[AUTHORITY_HEADER_NAME] } = headers
  if (typeof host !== 'string' || !path.startsWith('/')) return path
  return `${isEncryptedConnection(request) ? 'https' : 'http'}://${host}${path}`
}

/**
 * Returns only the path if the header `Host` alone determines the origin, since building and parsing a URL
 * would be wasted work.
 */
export const toShortUrl = (request: NodeRequest): string =>
  isEncryptedConnection(request) || request.headers.host === undefined
    ? toAbsoluteUrl(request)
    : pathOf(request)

/** Whether each character of a body is one byte, which is faster to send. */
const hasAsciiBody = ({ headers, body }: WireResponse): boolean =>
  body !== undefined && headers['Content-Length'] === `${body.length}`

/** Sends a response, unless another middleware has already responded, such as a timeout of the framework. */
export const sendResponse = (
  response: NodeResponse,
  wireResponse: WireResponse,
  closesConnection: boolean,
): void => {
  if (response.headersSent) return
  const { status, headers, body } = wireResponse
  response.writeHead(status, closesConnection ? { ...headers, Connection: 'close' } : headers)
  // Text is sent in one piece with the headers.
  if (body === undefined) response.end()
  else if (hasAsciiBody(wireResponse)) response.end(body, 'latin1')
  else response.end(body)
}
