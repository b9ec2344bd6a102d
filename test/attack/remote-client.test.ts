import { gzipSync } from 'node:zlib'
import { type ClientOptions, createClient, type Fetch } from 'kithgraph/client'
import { describe, expect, it } from 'vitest'
import { listen } from '../http/client-servers.ts'

const TOKEN = 'a-token'
const URL = 'https://graph.example'
const MIB = 1024 * 1024

const thrown = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

const clientOf = (fetch: Fetch, options: ClientOptions = {}) => createClient(URL, { fetch, ...options })

const tooLarge = (limit: number) => ({
  message: `(#1) The response of the server must have at most ${limit} bytes; received more`,
  data: { reason: 'internal' },
  cause: { limit },
})

describe('a response without an end', () => {
  const PART = new Uint8Array(MIB).fill(32)

  it.each([
    [undefined, 64 * MIB],
    [5 * MIB, 5 * MIB],
  ])('is read up to the limit, and requested once: limit %s', async (maxResponseBytes, limit) => {
    let requests = 0
    let parts = 0
    let isCancelled = false
    const endless: Fetch = async () => {
      requests++
      const body = new ReadableStream({
        pull: controller => {
          // An end all the same, for a client that reads on.
          if (parts++ < 200) controller.enqueue(PART)
          else controller.close()
        },
        cancel: () => {
          isCancelled = true
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
    const { getMe } = clientOf(endless, { maxResponseBytes })
    expect(await thrown(getMe(TOKEN))).toMatchObject(tooLarge(limit))
    expect([requests, isCancelled]).toEqual([1, true])
    expect(parts).toBeLessThanOrEqual(limit / MIB + 2)
  })

  it('is measured after its decoding', async () => {
    const limit = 2 * MIB
    const packed = gzipSync(Buffer.alloc(limit + 1, 32))
    expect(packed.length).toBeLessThan(limit / 100)
    await using server = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(packed)
    })
    const { getMe } = createClient(server.url, { maxResponseBytes: limit })
    expect(await thrown(getMe(TOKEN))).toMatchObject(tooLarge(limit))
  })

  it('is an error in a runtime without streams of bodies too', async () => {
    const whole = { status: 200, headers: new Headers(), text: async () => `{"id":"${'1'.repeat(100)}"}` }
    const { getMe } = clientOf(async () => whole as unknown as Response, { maxResponseBytes: 100 })
    expect(await thrown(getMe(TOKEN))).toMatchObject(tooLarge(100))
  })
})

describe('a response of the largest size', () => {
  it('is read whole, whatever its parts are', async () => {
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
    const read = (maxResponseBytes: number) => clientOf(byByte, { maxResponseBytes }).getMe(TOKEN)
    expect(await read(bytes.length)).toEqual({ id: '4', name: 'Zoë 🎉' })
    expect(await thrown(read(bytes.length - 1))).toMatchObject(tooLarge(bytes.length - 1))
  })

  it.each([0, -1, 1.5, '1', Number.NaN])('must be an integer of at least 1: %s', maxResponseBytes => {
    expect(() => createClient(URL, { maxResponseBytes } as object)).toThrow(
      'createClient: maxResponseBytes must be an integer from 1',
    )
  })
})

describe('cursors that lead in a circle', () => {
  const cases = [1, 2, 3, 7, 16, 17].flatMap(length => [0, 1, 5, 20].map(tail => [length, tail] as const))

  it.each(cases)('end the walk: a circle of %i pages, %i pages in front of it', async (length, tail) => {
    let pages = 0
    const circle: Fetch = async () => {
      const page = pages++
      const at = page < tail ? page : tail + ((page - tail) % length)
      // An end all the same, for a client that walks on.
      const next = page < 1000 ? { next: '/x' } : {}
      return Response.json({
        data: [{ id: `${page + 1}` }],
        paging: { cursors: { after: `c${at}` }, ...next },
      })
    }
    let entries = 0
    const walk = async () => {
      for await (const { id } of clientOf(circle).iterateEdge(TOKEN, { id: '4', edge: 'photos' }))
        if (id) entries++
    }
    const error = await thrown(walk())
    expect(error).toMatchObject({ data: { reason: 'internal' }, cause: { page: pages } })
    expect(`${error}`).toContain(`page ${pages} ends at a cursor of an earlier page`)
    expect(entries).toBe(pages)
    expect(pages).toBeLessThanOrEqual(2 * Math.max(tail + 1, length) + length)
  })
})
