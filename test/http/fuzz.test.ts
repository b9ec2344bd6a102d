import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { WireRequest, WireResponse } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { settings } from '../property/settings.ts'
import { requestsWith } from './request-arbitraries.ts'
import { serveWorld } from './served-world.ts'

const MEGABYTE = 2 ** 20
const MOMENT = 30_000

/** What only the inside of a program says: its errors by name, its files, the lines of a stack. */
const INTERNAL = /\b(?:Type|Range|Syntax|Reference|URI)Error\b|node_modules|file:\/\/|\bat \S+ \(|\.[tj]s:\d+/

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Bytes that are in use once the garbage is gone. */
const heapUsed = (): number => {
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed
}

const within = async <T>(promise: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('There was no answer')), MOMENT)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const isAnswer = (value: unknown): value is { code: number; body: string } =>
  typeof value === 'object' && value !== null && 'code' in value && 'body' in value

/** The status and the text of an answer, and of those in it where it is a batch's. */
const answersIn = (status: number, text: string): readonly (readonly [number, string])[] => {
  const value: unknown = text === '' || text.startsWith('<svg ') ? undefined : JSON.parse(text)
  const inside = Array.isArray(value) ? value.filter(isAnswer) : []
  return [[status, text], ...inside.flatMap(({ code, body }) => answersIn(code, body))]
}

const assertSound = ({ status, headers, body = '' }: WireResponse): void => {
  for (const text of Object.values(headers)) expect(text).toMatch(/^[\x20-\x7e]*$/)
  expect(body).not.toMatch(INTERNAL)
  if (body !== '') expect(headers['Content-Length']).toBe(`${Buffer.byteLength(body)}`)
  for (const [code, text] of answersIn(status, body)) {
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

/** Where a client itself puts a token into texts, answers that quote them may have it. */
const isTold = ({ url, body }: WireRequest, token: string): boolean =>
  url.includes(token) || `${body}`.includes(token)

describe('any request', () => {
  it('is answered in a moment, by what the client is to blame for or by what it asked, in flat memory', async () => {
    const { handler, token, faults } = await serveWorld({ trustProxy: true, cors: { origin: '*' } })
    const bounds = settings<[WireRequest]>(2000, 100_000)
    const counts = new Map<number, number>()
    let asked = 0
    let heap = 0
    await fc.assert(
      fc.asyncProperty(requestsWith(token), async request => {
        const response = await within(handler.answer(request))
        assertSound(response)
        if (!isTold(request, token)) {
          expect(`${response.body}`).not.toContain(token)
          for (const { message, data } of faults) expect(message + JSON.stringify(data)).not.toContain(token)
        }
        faults.length = 0
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
        asked++
        if (asked === Math.floor((bounds.numRuns ?? 0) / 2)) heap = heapUsed()
      }),
      bounds,
    )
    // Both sides are tried: what is answered, and what is refused.
    for (const status of [200, 400]) expect(counts.get(status)).toBeGreaterThan(asked / 10)
    expect(heapUsed() - heap).toBeLessThan(32 * MEGABYTE)
  })
})
