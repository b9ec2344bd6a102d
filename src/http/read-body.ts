import { badParameter, GraphError, isGraphError } from '../base/faults.ts'
import type { RequestLimits } from './handler-options.ts'

/** A part of a request that is larger than allowed. */
export const requestTooLarge = (part: 'URL' | 'body', limit: number, came?: number): GraphError =>
  new GraphError(
    'request_too_large',
    `(#1) The ${part} of a request has at most ${limit} ${part === 'URL' ? 'characters' : 'bytes'}`,
    {
      limit,
      ...(came !== undefined && { came }),
    },
  )

const tooSlow = (limit: number): GraphError =>
  new GraphError('request_too_slow', `(#1) The body of a request must arrive within ${limit} milliseconds`, {
    limit,
  })

const joined = (chunks: readonly Uint8Array[], length: number): Uint8Array => {
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/** A body that ended before it was whole is its sender's doing, and says nothing else. */
const brokenOff = (): GraphError => badParameter('body', 'a whole body', 'one that broke off')

/**
 * Reads a body to its end, though not past its limits.
 *
 * @throws GraphError `request_too_large`, `request_too_slow`, `bad_parameter` for one that breaks off.
 */
export const readBody = async (
  chunks: AsyncIterable<Uint8Array>,
  { body: limit, bodyTime }: RequestLimits,
): Promise<Uint8Array> => {
  const read: Uint8Array[] = []
  let length = 0
  let isOver = false
  const all = (async () => {
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > limit) throw requestTooLarge('body', limit)
      // What still comes when nobody waits for it any more is not kept.
      if (isOver) break
      read.push(chunk)
    }
    return joined(read, length)
  })()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(bodyTime)), bodyTime)
  })
  try {
    return await Promise.race([all, late])
  } catch (error) {
    throw isGraphError(error) ? error : brokenOff()
  } finally {
    isOver = true
    clearTimeout(timer)
    all.catch(() => undefined)
  }
}
