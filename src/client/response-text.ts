import { GraphError } from '../base/faults.ts'

const tooLarge = (limit: number): GraphError =>
  new GraphError(
    'internal',
    `(#1) The response of the server must have at most ${limit} bytes; received more`,
    {},
    { cause: { limit } },
  )

/** Some runtimes have no streams of bodies: there the text is measured when it is whole. */
const readWhole = async (response: Response, limit: number): Promise<string> => {
  const text = await response.text()
  if (text.length > limit) throw tooLarge(limit)
  return text
}

const readParts = async (body: ReadableStream<Uint8Array>, limit: number): Promise<string> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > limit) {
      // The error is thrown whether or not the rest of the body can be cancelled.
      reader.cancel().catch(() => undefined)
      throw tooLarge(limit)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * Reads the body of a response as text, and stops once it is too large.
 *
 * @throws GraphError `internal` if it has more than `limit` bytes after its decoding.
 */
export const readText = (response: Response, limit: number): Promise<string> =>
  response.body ? readParts(response.body, limit) : readWhole(response, limit)
