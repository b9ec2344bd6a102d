import { gzipSync } from 'node:zlib'
import { type ClientOptions, createClient, type Fetch } from 'kithgraph/client'
import { describe, expect, it } from 'vitest'
import { listen } from '../http/scripted-servers.ts'

const TOKEN = 'a-token'
const URL = 'https://graph.example'
const MIB = 1024 * 1024

const catchError = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

const createTestClient = (fetch: Fetch, options: ClientOptions = {}) =>
  createClient(URL, { fetch, ...options })

const tooLargeError = (limit: number) => ({
  message: `(#1) The response of the server has more than ${limit} bytes`,
  reason: 'internal_error',
  cause: { limit },
})

describe('a response to the client that exceeds maxResponseBytes', () => {
  const PART = new Uint8Array(MIB).fill(32)

  it.each([
    [undefined, 64 * MIB],
    [5 * MIB, 5 * MIB],
  ])('is read only up to the limit, and not requested again: option %s', async (maxResponseBytes, limit) => {
    let requests = 0
    let parts = 0
    let isCancelled = false
    const endless: Fetch = async () => {
      requests++
      const body = new ReadableStream({
        pull: controller => {
          // The body has an end, so that the test also ends if the client reads beyond the limit.
          if (parts++ < 200) controller.enqueue(PART)
          else controller.close()
        },
        cancel: () => {
          isCancelled = true
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
    const { getMe } = createTestClient(endless, { maxResponseBytes })
    expect(await catchError(getMe(TOKEN))).toMatchObject(tooLargeError(limit))
    expect([requests, isCancelled]).toEqual([1, true])
    expect(parts).toBeLessThanOrEqual(limit / MIB + 2)
  })

  it('is measured after it is decompressed', async () => {
    const limit = 2 * MIB
    const packed = gzipSync(Buffer.alloc(limit + 1, 32))
    expect(packed.length).toBeLessThan(limit / 100)
    await using server = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(packed)
    })
    const { getMe } = createClient(server.url, { maxResponseBytes: limit })
    expect(await catchError(getMe(TOKEN))).toMatchObject(tooLargeError(limit))
  })

  it('is also an error in a runtime without body streams', async () => {
    const whole = { status: 200, headers: new Headers(), text: async () => `{"id":"${'1'.repeat(100)}"}` }
    const { getMe } = createTestClient(async () => whole as unknown as Response, { maxResponseBytes: 100 })
    expect(await catchError(getMe(TOKEN))).toMatchObject(tooLargeError(100))
  })
})

describe('the option maxResponseBytes of the client', () => {
  it('accepts a response of exactly this size in small chunks, and rejects a larger one', async () => {
    const text = JSON.stringify({ id: '4', name: 'Zoë 🎉' })
    const bytes = new TextEncoder().encode(text)
    const byByte: Fetch = async () => {
      const body = new ReadableStream({
        start: controller => {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
          controller.close()
        },
      })
      return new Response(body)
    }
    const read = (maxResponseBytes: number) => createTestClient(byByte, { maxResponseBytes }).getMe(TOKEN)
    expect(await read(bytes.length)).toEqual({ id: '4', name: 'Zoë 🎉' })
    expect(await catchError(read(bytes.length - 1))).toMatchObject(tooLargeError(bytes.length - 1))
  })

  it.each([0, -1, 1.5, '1', Number.NaN])('cannot be %s, only an integer of at least 1', maxResponseBytes => {
    expect(() => createClient(URL, { maxResponseBytes } as object)).toThrow(
      'createClient: "maxResponseBytes" must be an integer from 1 to 2147483647; received ',
    )
  })
})

describe('cursors that form a circle', () => {
  const cases = [1, 2, 3, 7, 16, 17].flatMap(length => [0, 1, 5, 20].map(tail => [length, tail] as const))

  it.each(cases)(
    'end iterateEdge with an error: a circle of %i pages after %i other pages',
    async (length, tail) => {
      let pages = 0
      const circle: Fetch = async () => {
        const page = pages++
        const at = page < tail ? page : tail + ((page - tail) % length)
        // The number of pages is limited, so that the test also ends if the client does not detect the
        // circle.
        const next = page < 1000 ? { next: '/x' } : {}
        return Response.json({
          data: [{ id: `${page + 1}` }],
          paging: { cursors: { after: `c${at}` }, ...next },
        })
      }
      let entries = 0
      const walk = async () => {
        for await (const { id } of createTestClient(circle).iterateEdge(TOKEN, { id: '4', edge: 'photos' }))
          if (id) entries++
      }
      const error = await catchError(walk())
      expect(error).toMatchObject({ reason: 'internal_error', cause: { page: pages } })
      expect(`${error}`).toContain(`page ${pages} ends at a cursor of an earlier page`)
      expect(entries).toBe(pages)
      expect(pages).toBeLessThanOrEqual(2 * Math.max(tail + 1, length) + length)
    },
  )
})
