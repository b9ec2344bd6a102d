import { invalidParameterError, isGraphError } from '../base/errors.ts'
import { requestTooLargeError } from './read-body.ts'

/**
 * Decompresses gzip as a stream. The input is limited to the size of a body too, since a stream of empty
 * parts would not end otherwise.
 */
const gunzip = async function* (
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip')
  const writer = writable.getWriter()
  const writeChunks = async (): Promise<void> => {
    let length = 0
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > limit) throw requestTooLargeError('body', limit)
      await writer.write(Uint8Array.from(chunk))
    }
    await writer.close()
  }
  // An error of the input is thrown where the output is read.
  writeChunks().catch(error => writer.abort(error).catch(() => undefined))
  try {
    yield* readable
  } catch (error) {
    throw isGraphError(error)
      ? error
      : invalidParameterError('body', 'complete and in gzip, as its header says', 'another body')
  }
}

/**
 * Removes the encoding that the header `Content-Encoding` names, since mobile clients compress their bodies.
 *
 * @throws GraphError `invalid_parameter` for any encoding but gzip and, while reading, for invalid gzip;
 * `request_too_large`.
 */
export const decodeBody = (
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | null | undefined,
  { body: limit }: { readonly body: number },
): AsyncIterable<Uint8Array> => {
  const encodingName = encoding?.trim().toLowerCase()
  if (!encodingName || encodingName === 'identity') return chunks
  if (encodingName === 'gzip' || encodingName === 'x-gzip') return gunzip(chunks, limit)
  throw invalidParameterError('content-encoding', '"gzip" or "identity"', 'another encoding')
}
