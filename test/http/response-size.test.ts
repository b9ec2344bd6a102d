import { createGraph, defineFieldType, defineSchema, edge, field, node } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ADA, GRACE } from '../helpers/world.ts'
import { createBatchSender } from './batch-requests.ts'
import { parseJson, serveWorld } from './served-world.ts'

/** Requests a path from a handler that limits the size of responses. */
const limitResponse = async (response: number, path: string) => {
  const { sendAsAda } = await serveWorld({ limits: { response } })
  return sendAsAda(path)
}

describe('the size of a response', () => {
  it('is at most 4,194,304 characters by default', () => {
    expect(createHandler(createGraph(createMemoryStore())).limits.response).toBe(4_194_304)
  })

  it.each([
    '/me',
    '/me?metadata=1',
    '/me?debug=all',
    `/?ids=${ADA},${GRACE}&fields=photos.limit(3){comments.limit(2)}`,
    '/me/photos',
    '/me/photos?pretty=1',
    `/friends?ids=${ADA},${GRACE}`,
  ])('may be equal to its limit, but not larger: %s', async path => {
    const { text } = await (await serveWorld()).sendAsAda(path)
    expect((await limitResponse(text.length, path)).text).toBe(text)
    const rejected = await limitResponse(text.length - 1, path)
    expect(rejected.status).toBe(400)
    expect(parseJson(rejected).error).toMatchObject({
      message: expect.stringMatching(`${text.length - 1} characters. Request fewer`),
      code: 1,
      error_data: { reason: 'response_too_large', limit: text.length - 1 },
    })
  })

  it('includes the links, which repeat the requested fields', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `icon.as(${'a'.repeat(60)}${index})`)
    const { read, reasonOf } = await serveWorld({ limits: { response: 3000 } })
    const path = (fields: string) => `/me?fields=photos.limit(1){${fields}}`
    expect((await read(path('id'))).photos.paging.next).toContain('fields=id')
    // No photo has these fields, so they occur only in the link of each page.
    expect(await reasonOf(path(names.join(',')))).toBe('response_too_large')
  })

  it('is not increased by indentation if the response is long', async () => {
    const graph = createGraph(createMemoryStore())
    await graph.write([
      { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'x'.repeat(300_000) } } },
    ])
    const token = await graph.tokens.issue({ viewer: '4', app: 'demo' })
    const url = `/me?pretty=1&access_token=${token}`
    const { body } = await createHandler(graph).respond({ method: 'GET', url, headers: {} })
    expect(body).not.toContain('\n')
  })
})

describe('the responses of a batch', () => {
  it('share one size limit', async () => {
    const { text } = await (await serveWorld()).sendAsAda('/me/photos')
    const response = Math.floor(text.length * 2.5)
    const batch = createBatchSender(await serveWorld({ limits: { response } }))
    const responses = await batch(Array.from({ length: 5 }, () => ({ relative_url: 'me/photos' })))
    expect(responses.map(one => one?.code).toSorted()).toEqual([200, 200, 400, 400, 400])
    const rejected = responses.filter(one => one?.code === 400)
    for (const one of rejected)
      expect(one?.body.error.error_data).toEqual({ reason: 'response_too_large', limit: response })
  })

  it('are measured with their indentation', async () => {
    const world = await serveWorld()
    const [plain, pretty] = [await world.sendAsAda('/me'), await world.sendAsAda('/me?pretty=1')]
    const response = plain.text.length + 2 * pretty.text.length
    const batch = createBatchSender(await serveWorld({ limits: { response } }))
    const responses = await batch(Array.from({ length: 3 }, () => ({ relative_url: 'me?pretty=1' })))
    expect(responses.map(one => one?.code).toSorted()).toEqual([200, 200, 400])
  })

  it('do not use up their size limit if they are rejected as too large', async () => {
    const batch = createBatchSender(await serveWorld({ limits: { response: 80_000 } }))
    const names = Array.from({ length: 100 }, (_, index) => `created_time.as(${'a'.repeat(50)}${index})`)
    const long = { relative_url: `me?fields=photos.limit(30){${names}}` }
    const short = Array(20).fill({ relative_url: 'me?fields=photos' })
    const responses = await batch([long, ...short])
    expect(responses.map(one => one?.code)).toEqual([400, ...short.map(() => 200)])
  })
})

describe('a response while it is written', () => {
  const LETTERS = 10_000
  const ENTRIES = 100
  const LETTER = 'x'.repeat(LETTERS)

  /** Serves 100 letters of 10,000 characters each. Calls `onWrite` for each letter that is written. */
  const serveLetters = async (onWrite: () => void, options?: HandlerOptions) => {
    const letter = defineFieldType({
      name: 'letter',
      expected: 'text',
      parse: (value: string) => value,
      serialize: stored => {
        onWrite()
        return stored
      },
    })
    const schema = defineSchema(
      { user: node({ fields: { letter: field.of(letter) }, edges: { received: edge('user') } }) },
      { versions: ['v1.0'], viewers: ['user'] },
    )
    const graph = createGraph(createMemoryStore(), { schema })
    const ids = Array.from({ length: ENTRIES }, (_, index) => `${index + 1}`)
    await graph.write(
      ids.map(id => ({ op: 'putNode', node: { id, type: 'user', fields: { letter: LETTER } } })),
    )
    await graph.write(
      ids.map(target => ({ op: 'putEdge', edge: { source: '1', name: 'received', target, time: 0 } })),
    )
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo' })
    const { respond } = createHandler(graph, options)
    const headers = { authorization: `Bearer ${token}` }
    const path = `1/received?limit=${ENTRIES}&fields=letter`
    return {
      sendAsAda: async () => {
        const { status, body = '' } = await respond({ method: 'GET', url: `/${path}`, headers })
        return { status, reason: JSON.parse(body).error?.error_data.reason }
      },
      sendTogether: async (times: number): Promise<number[]> => {
        const batch = JSON.stringify(Array(times).fill({ relative_url: path }))
        const form = new URLSearchParams({ batch }).toString()
        const { body = '' } = await respond({ method: 'POST', url: '/', headers, body: form })
        return JSON.parse(body).map(({ code }: { code: number }) => code)
      },
    }
  }

  afterEach(() => {
    vi.useRealTimers()
  })

  it('stops at its size limit', async () => {
    let written = 0
    const { sendAsAda } = await serveLetters(() => written++, { limits: { response: 200_000 } })
    expect(await sendAsAda()).toEqual({ status: 400, reason: 'response_too_large' })
    expect(written).toBeLessThan(ENTRIES / 3)
  })

  it('stops early if the size limit of its batch is already exceeded', async () => {
    let written = 0
    const { sendTogether } = await serveLetters(() => written++, { limits: { response: 500_000 } })
    expect(await sendTogether(10)).toEqual(Array(10).fill(400))
    expect(written).toBeLessThan((2 * 500_000) / LETTERS + 20)
  })

  it('is complete for as many requests of a batch as fit its size limit', async () => {
    const { sendTogether } = await serveLetters(() => undefined, { limits: { response: 2_500_000 } })
    expect((await sendTogether(10)).toSorted()).toEqual([200, 200, ...Array(8).fill(400)])
  })

  it('stops at its deadline', async () => {
    let written = 0
    const { sendAsAda } = await serveLetters(() => {
      written++
      vi.setSystemTime(Date.now() + 1000)
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    expect(await sendAsAda()).toEqual({ status: 503, reason: 'timeout' })
    expect(written).toBeLessThan(ENTRIES / 3)
  })
})
