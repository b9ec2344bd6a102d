import { GraphError, invalidParameterError, isGraphError } from '../base/errors.ts'
import type { RequestLimits } from './handler-options.ts'

/** Creates the error for a part of a request that is too large. */
export const requestTooLargeError = (part: 'URL' | 'body', limit: number, received?: number): GraphError =>
  new GraphError(
    'request_too_large',
    `(#1) The ${part} of a request must have at most ${limit} ${part === 'URL' ? 'characters' : 'bytes'}`,
    {
      limit,
      ...(received !== undefined && { received }),
    },
  )

const requestTooSlowError = (limit: number): GraphError =>
  new GraphError('request_too_slow', `(#1) The body of a request must arrive within ${limit} milliseconds`, {
    limit,
  })

const concatenateChunks = (chunks: readonly Uint8Array[], length: number): Uint8Array => {
  const joined = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    joined.set(chunk, offset)
    offset += chunk.length
  }
  return joined
}

/** Creates the error for an incomplete body. It shows no part of the body. */
const incompleteBodyError = (): GraphError => invalidParameterError('body', 'complete', 'a part of it')

/**
 * Decompresses gzip as a stream. Limits the compressed size too, because endless empty parts would never
 * reach the limit of the decompressed size.
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
  // An error of the input makes reading the output fail.
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
 * Decodes a body with a `Content-Encoding`. Mobile clients send compressed bodies.
 *
 * @throws GraphError `invalid_parameter` for any encoding other than gzip. While the body is read:
 * `invalid_parameter` if it is not valid gzip, or `request_too_large`.
 */
const decodeBody = (
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | null | undefined,
  limit: number,
): AsyncIterable<Uint8Array> => {
  const encodingName = encoding?.trim().toLowerCase()
  if (!encodingName || encodingName === 'identity') return chunks
  if (encodingName === 'gzip' || encodingName === 'x-gzip') return gunzip(chunks, limit)
  throw invalidParameterError('content-encoding', '"gzip" or "identity"', 'another encoding')
}

/**
 * Reads a whole body within the limits. `encoding` is the header `Content-Encoding`.
 *
 * @throws GraphError `request_too_large` or `request_too_slow`; `invalid_parameter` if the body is
 * incomplete, or is not encoded as the header says.
 */
export const readBody = async (
  encodedChunks: AsyncIterable<Uint8Array>,
  encoding: string | null | undefined,
  { body: limit, bodyTimeMs }: RequestLimits,
): Promise<Uint8Array> => {
  const chunks = decodeBody(encodedChunks, encoding, limit)
  const receivedChunks: Uint8Array[] = []
  let length = 0
  let isFinished = false
  const wholeBody = (async () => {
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > limit) throw requestTooLargeError('body', limit)
      // Ignores data that arrives after the time limit.
      if (isFinished) break
      receivedChunks.push(chunk)
    }
    return concatenateChunks(receivedChunks, length)
  })()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(requestTooSlowError(bodyTimeMs)), bodyTimeMs)
  })
  try {
    return await Promise.race([wholeBody, timeout])
  } catch (error) {
    throw isGraphError(error) ? error : incompleteBodyError()
  } finally {
    isFinished = true
    clearTimeout(timer)
    wholeBody.catch(() => undefined)
  }
}
