import { GraphError } from '../base/errors.ts'

const responseTooLargeError = (limit: number): GraphError =>
  new GraphError(
    'internal_error',
    `(#1) The response of the server has more than ${limit} bytes`,
    {},
    { cause: { limit } },
  )

/**
 * Reads a whole body at once, for runtimes without streams of bodies, and then checks its length in
 * characters, which is at most its size in bytes.
 */
const readWhole = async (response: Response, limit: number): Promise<string> => {
  const text = await response.text()
  if (text.length > limit) throw responseTooLargeError(limit)
  return text
}

const readChunks = async (body: ReadableStream<Uint8Array>, limit: number): Promise<string> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let receivedBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    receivedBytes += value.byteLength
    if (receivedBytes > limit) {
      // The error is thrown whether or not the rest of the body can be cancelled.
      reader.cancel().catch(() => undefined)
      throw responseTooLargeError(limit)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * Reads the body of a response as text, and stops once it is too large.
 *
 * @throws GraphError `internal_error` if it has more than `limit` bytes after its decoding, or more than
 * `limit` characters if it is not a stream.
 */
export const readText = (response: Response, limit: number): Promise<string> =>
  response.body ? readChunks(response.body, limit) : readWhole(response, limit)
