import type { RequestLimits } from './handler-options.ts'
import { readBody } from './read-body.ts'
import type { WireRequest, WireResponse } from './wire.ts'

/** Only a body of `POST` says anything; that of a `GET` is dropped. @throws GraphError as {@link readBody} does. */
export const toWire = async (request: Request, limits: RequestLimits): Promise<WireRequest> => ({
  method: request.method,
  url: request.url,
  headers: Object.fromEntries(request.headers),
  body: request.body === null || request.method !== 'POST' ? undefined : await readBody(request.body, limits),
  signal: request.signal,
})

/** A response as a web server sends it. */
export const toWebResponse = ({ status, headers, body }: WireResponse): Response =>
  new Response(body ?? null, { status, headers })
