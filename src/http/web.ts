import { decodedBody } from './decoded-body.ts'
import type { RequestLimits } from './handler-options.ts'
import { readBody } from './read-body.ts'
import type { WireRequest, WireResponse } from './wire.ts'

/** Only a body of `POST` says anything; that of a `GET` is dropped. */
const bodyOf = async (
  { method, headers, body, bodyUsed }: Request,
  limits: RequestLimits,
): Promise<WireRequest['body']> => {
  if (body === null || method !== 'POST') return undefined
  if (bodyUsed) throw new TypeError('Expected a request whose body nobody has read, came one that was read')
  return readBody(decodedBody(body, headers.get('content-encoding'), limits), limits)
}

/** @throws GraphError as {@link readBody} does; TypeError for a request that was read already. */
export const toWire = async (request: Request, limits: RequestLimits): Promise<WireRequest> => ({
  method: request.method,
  url: request.url,
  headers: Object.fromEntries(request.headers),
  body: await bodyOf(request, limits),
  signal: request.signal,
})

/** A response as a web server sends it. */
export const toWebResponse = ({ status, headers, body }: WireResponse): Response =>
  new Response(body ?? null, { status, headers })
