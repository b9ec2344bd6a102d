import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import { afterAll, describe, expect, it } from 'vitest'
import { Aborters } from '../../src/http/aborters.ts'
import { type Handler, toNodeListener, type WireResponse } from '../../src/http/index.ts'

describe('what ends the reads for a client', () => {
  it('is shared by the requests of its connection, and by no others', () => {
    const aborters = new Aborters()
    const [socket, other] = [{}, {}]
    expect(aborters.next(socket)).toBe(aborters.next(socket))
    expect(aborters.next(other)).not.toBe(aborters.next(socket))
  })

  it('is another after it was used', () => {
    const aborters = new Aborters()
    const socket = {}
    aborters.next(socket).abort()
    expect(aborters.next(socket).signal.aborted).toBe(false)
  })

  it('does not last as long as its connection', () => {
    const aborters = new Aborters()
    const socket = {}
    const used = Array.from({ length: 1000 }, () => aborters.next(socket))
    expect(new Set(used).size).toBe(10)
  })
})

describe('a stream of HTTP/2', () => {
  const signals = new Map<string, AbortSignal | undefined>()
  let answer: (response: WireResponse) => void = () => undefined
  const answering = new Promise<WireResponse>(resolve => {
    answer = resolve
  })
  const handler: Handler = Object.assign(async () => new Response(), {
    answer({ url, signal }: Parameters<Handler['answer']>[0]) {
      signals.set(new URL(url).pathname, signal)
      return answering
    },
    refuse: (): WireResponse => ({ status: 500, headers: {}, body: undefined }),
    limits: { url: 1, body: 1, bodyTime: 1, batch: 1, answer: 1 },
  })
  const server = createServer(toNodeListener(handler))
  afterAll(() => server.close())

  it('that its client resets ends what is read for it alone', async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const session = connect(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
    const [one, other] = [session.request({ ':path': '/one' }), session.request({ ':path': '/other' })]
    await expect.poll(() => signals.size).toBe(2)
    one.close()
    await expect.poll(() => signals.get('/one')?.aborted).toBe(true)
    expect(signals.get('/other')?.aborted).toBe(false)
    answer({ status: 204, headers: {}, body: undefined })
    const [headers] = await once(other, 'response')
    expect(headers[':status']).toBe(204)
    session.close()
  })
})
