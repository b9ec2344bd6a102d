import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { WireRequest, WireResponse } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { propertySettings } from '../property/property-settings.ts'
import { requestsWithToken } from './request-arbitraries.ts'
import { serveWorld } from './served-world.ts'

const MEGABYTE = 2 ** 20
const TIMEOUT_MS = 30_000

/** Text that must not leave the program: names of errors, files, lines of a stack. */
const INTERNAL = /\b(?:Type|Range|Syntax|Reference|URI)Error\b|node_modules|file:\/\/|\bat \S+ \(|\.[tj]s:\d+/

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Collects garbage, and returns the bytes of the heap in use. */
const heapUsed = (): number => {
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed
}

const resolvesInTime = async <T>(promise: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('There was no response')), TIMEOUT_MS)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const isGraphResponse = (value: unknown): value is { code: number; body: string } =>
  typeof value === 'object' && value !== null && 'code' in value && 'body' in value

/** Returns the status and the text of a response, and of each item if it is the response of a batch. */
const parseResponses = (status: number, text: string): readonly (readonly [number, string])[] => {
  const value: unknown = text === '' || text.startsWith('<svg ') ? undefined : JSON.parse(text)
  const inside = Array.isArray(value) ? value.filter(isGraphResponse) : []
  return [[status, text], ...inside.flatMap(({ code, body }) => parseResponses(code, body))]
}

const assertValidResponse = ({ status, headers, body = '' }: WireResponse): void => {
  for (const text of Object.values(headers)) expect(text).toMatch(/^[\x20-\x7e]*$/)
  expect(body).not.toMatch(INTERNAL)
  if (body !== '') expect(headers['Content-Length']).toBe(`${Buffer.byteLength(body)}`)
  for (const [code, text] of parseResponses(status, body)) {
    expect(code).toBeLessThan(500)
    if (code < 400 || text === '') continue
    const { error } = JSON.parse(text)
    expect(error).toMatchObject({
      message: expect.any(String),
      type: expect.stringMatching(/^(?:OAuth|GraphMethod|GraphBatch)Exception$/),
      code: expect.any(Number),
      error_data: { reason: expect.any(String) },
      fbtrace_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  }
}

/** Whether a request has a token in its URL or body, so that the response may quote it. */
const includesToken = ({ url, body }: WireRequest, token: string): boolean =>
  url.includes(token) || `${body}`.includes(token)

describe('the HTTP handler', () => {
  it('responds to any request in time, without an internal error, and in constant memory', async () => {
    const { handler, token, errors } = await serveWorld({ trustProxy: true, cors: { origin: '*' } })
    const bounds = propertySettings<[WireRequest]>(2000, 100_000)
    const counts = new Map<number, number>()
    let requestCount = 0
    let heap = 0
    await fc.assert(
      fc.asyncProperty(requestsWithToken(token), async request => {
        const response = await resolvesInTime(handler.respond(request))
        assertValidResponse(response)
        if (!includesToken(request, token)) {
          expect(`${response.body}`).not.toContain(token)
          for (const { message, data } of errors) expect(message + JSON.stringify(data)).not.toContain(token)
        }
        errors.length = 0
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
        requestCount++
        if (requestCount === Math.floor((bounds.numRuns ?? 0) / 2)) heap = heapUsed()
      }),
      bounds,
    )
    // Both successful and rejected requests occur.
    for (const status of [200, 400]) expect(counts.get(status)).toBeGreaterThan(requestCount / 10)
    expect(heapUsed() - heap).toBeLessThan(32 * MEGABYTE)
  })
})
