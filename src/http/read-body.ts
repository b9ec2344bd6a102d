import { GraphError, invalidParameterError, isGraphError } from '../base/errors.ts'
import type { RequestLimits } from './handler-options.ts'

/** Creates the error for a part of a request that is too large. */
export const requestTooLargeError = (part: 'URL' | 'body', limit: number, received?: number): GraphError =>
  new GraphError(
    'request_too_large',
    `(#1) The ${part} of a request has at most ${limit} ${part === 'URL' ? 'characters' : 'bytes'}`,
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

/** The error for an incomplete body, which shows nothing of it. */
const incompleteBodyError = (): GraphError => invalidParameterError('body', 'complete', 'a part of it')

/**
 * Reads a whole body within the limits.
 *
 * @throws GraphError `request_too_large`, `request_too_slow`, `invalid_parameter` for an incomplete body.
 */
export const readBody = async (
  chunks: AsyncIterable<Uint8Array>,
  { body: limit, bodyTimeMs }: RequestLimits,
): Promise<Uint8Array> => {
  const receivedChunks: Uint8Array[] = []
  let length = 0
  let isFinished = false
  const wholeBody = (async () => {
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > limit) throw requestTooLargeError('body', limit)
      // Data after the end of the wait is dropped.
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
