import { usageError } from '../base/usage-error.ts'
import { decodeBody } from './decode-body.ts'
import type { RequestLimits } from './handler-options.ts'
import { readBody } from './read-body.ts'
import type { WireRequest, WireResponse } from './wire.ts'

/** Reads the body of a `POST`. Other methods have no relevant body. */
const readWebBody = async (
  { method, headers, body, bodyUsed }: Request,
  limits: RequestLimits,
): Promise<WireRequest['body']> => {
  if (body === null || method !== 'POST') return undefined
  if (bodyUsed) throw usageError('handler', 'request.body', 'unread', 'a body that was read before')
  return readBody(decodeBody(body, headers.get('content-encoding'), limits), limits)
}

/**
 * Converts a web request.
 *
 * @throws GraphError as {@link readBody}; TypeError for a request whose body has already been read.
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
