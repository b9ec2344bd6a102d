import { badParameter, isGraphError } from '../base/faults.ts'
import { requestTooLarge } from './read-body.ts'

/** Bytes out of gzip, as they come. As many are read as a body may have: a stream of empty parts has no other end. */
const gunzipped = async function* (
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip')
  const writer = writable.getWriter()
  const feed = async (): Promise<void> => {
    let length = 0
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > limit) throw requestTooLarge('body', limit)
      await writer.write(Uint8Array.from(chunk))
    }
    await writer.close()
  }
  // What goes wrong here is thrown where the bytes come out.
  feed().catch(error => writer.abort(error).catch(() => undefined))
  try {
    yield* readable
  } catch (error) {
    throw isGraphError(error)
      ? error
      : badParameter('body', 'whole, and in gzip as its header says', 'another')
  }
}

/**
 * A body without the encoding that its header `Content-Encoding` names: mobile clients compress what they send.
 *
 * @throws GraphError `bad_parameter` for another than gzip, and, where it is read, for what is none; `request_too_large`.
 */
export const decodedBody = (
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | null | undefined,
  { body: limit }: { readonly body: number },
): AsyncIterable<Uint8Array> => {
  const name = encoding?.trim().toLowerCase()
  if (!name || name === 'identity') return chunks
  if (name === 'gzip' || name === 'x-gzip') return gunzipped(chunks, limit)
  throw badParameter('content-encoding', 'gzip or identity', 'another')
}
