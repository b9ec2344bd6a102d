import { usageError } from '../base/usage-error.ts'
import type { RequestLimits } from './handler-options.ts'
import { hasBodyParameters } from './methods.ts'
import { readBody } from './read-body.ts'

/** A request in a form that any server can create. */
export type WireRequest = {
  readonly method: string
  /** An absolute URL, or only the path and query if the origin is unknown. */
  readonly url: string
  /** The headers by lower-case name, such as `authorization`. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** The decoded body, without its `Content-Encoding`; undefined if the request has no body. */
  readonly body?: string | Uint8Array | undefined
  /** Aborts the reads for the request. */
  readonly signal?: AbortSignal | undefined
}

/** A response in a form that any server can send. */
export type WireResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** The body; undefined for a redirect, a 304 response, or a response to `HEAD`. */
  readonly body: string | undefined
}

/** The header with which a client requests the same links as in-process: relative, and without a token. */
export const LINKS_HEADER_NAME = 'kithgraph-links'

/** The headers that responses depend on: the credentials, and the kind of links. */
export const VARY_HEADER_VALUE = `Authorization, ${LINKS_HEADER_NAME}`

/**
 * Returns the value of a header. If the header has several values, returns the first one, because none of the
 * headers that the handler reads may occur twice.
 */
export const headerOf = ({ headers }: Pick<WireRequest, 'headers'>, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value[0]
}

/** Reads the body of a request whose method has parameters in its body. Ignores other bodies. */
const readWebBody = async (
  { method, headers, body, bodyUsed }: Request,
  limits: RequestLimits,
): Promise<WireRequest['body']> => {
  if (body === null || !hasBodyParameters(method)) return undefined
  if (bodyUsed) throw usageError('handler', 'request.body', 'unread', 'a body that was read before')
  return readBody(body, headers.get('content-encoding'), limits)
}

/**
 * Converts a web request.
 *
 * @throws GraphError in the same cases as {@link readBody}; TypeError if the body of the request has already
 * been read.
 */
export const toWireRequest = async (request: Request, limits: RequestLimits): Promise<WireRequest> => ({
  method: request.method,
  url: request.url,
  headers: Object.fromEntries(request.headers),
  body: await readWebBody(request, limits),
  signal: request.signal,
})

/** Converts a response to a web response. */
export const toWebResponse = ({ status, headers, body }: WireResponse): Response =>
  new Response(body ?? null, { status, headers })
