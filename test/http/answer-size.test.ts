import { createGraph, defineFieldType, defineSchema, edge, field, node } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ADA, GRACE } from '../helpers/world.ts'
import { batchAsker } from './batches.ts'
import { jsonOf, serveWorld } from './served-world.ts'

/** What becomes of a path under a limit. */
const under = async (answer: number, path: string) => {
  const { ask } = await serveWorld({ limits: { answer } })
  return ask(path)
}

describe('an answer', () => {
  it('has at most 4,194,304 characters by default', () => {
    expect(createHandler(createGraph(createMemoryStore())).limits.answer).toBe(4_194_304)
  })

  it.each([
    '/me',
    '/me?metadata=1',
    '/me?debug=all',
    `/?ids=${ADA},${GRACE}&fields=photos.limit(3){comments.limit(2)}`,
    '/me/photos',
    '/me/photos?pretty=1',
    `/friends?ids=${ADA},${GRACE}`,
  ])('of %s has as many characters as its limit says, and not one more', async path => {
    const { text } = await (await serveWorld()).ask(path)
    expect((await under(text.length, path)).text).toBe(text)
    const refused = await under(text.length - 1, path)
    expect(refused.status).toBe(400)
    expect(jsonOf(refused).error).toMatchObject({
      message: expect.stringMatching(`${text.length - 1} characters. Ask for fewer`),
      code: 1,
      error_data: { reason: 'answer_too_large', limit: text.length - 1 },
    })
  })

  it('is measured with the links that repeat what is asked', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `icon.as(${'a'.repeat(60)}${index})`)
    const { read, reasonOf } = await serveWorld({ limits: { answer: 3000 } })
    const path = (fields: string) => `/me?fields=photos.limit(1){${fields}}`
    expect((await read(path('id'))).photos.paging.next).toContain('fields=id')
    // What no photo has is answered nowhere, but asked for in the link of each page.
    expect(await reasonOf(path(names.join(',')))).toBe('answer_too_large')
  })

  it('that nobody would read is not indented', async () => {
    const graph = createGraph(createMemoryStore())
    await graph.write([
      { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'x'.repeat(300_000) } } },
    ])
    const token = await graph.tokens.issue({ viewer: '4', app: 'demo' })
    const url = `/me?pretty=1&access_token=${token}`
    const { body } = await createHandler(graph).answer({ method: 'GET', url, headers: {} })
    expect(body).not.toContain('\n')
  })
})

describe('the answers of a batch', () => {
  it('have one room', async () => {
    const { text } = await (await serveWorld()).ask('/me/photos')
    const answer = Math.floor(text.length * 2.5)
    const batch = batchAsker(await serveWorld({ limits: { answer } }))
    const answers = await batch(Array.from({ length: 5 }, () => ({ relative_url: 'me/photos' })))
    expect(answers.map(one => one?.code).toSorted()).toEqual([200, 200, 400, 400, 400])
    const refused = answers.filter(one => one?.code === 400)
    for (const one of refused)
      expect(one?.body.error.error_data).toEqual({ reason: 'answer_too_large', limit: answer })
  })

  it('take of it what they are indented by', async () => {
    const world = await serveWorld()
    const [plain, pretty] = [await world.ask('/me'), await world.ask('/me?pretty=1')]
    const answer = plain.text.length + 2 * pretty.text.length
    const batch = batchAsker(await serveWorld({ limits: { answer } }))
    const answers = await batch(Array.from({ length: 3 }, () => ({ relative_url: 'me?pretty=1' })))
    expect(answers.map(one => one?.code).toSorted()).toEqual([200, 200, 400])
  })

  it('leave to the others what one takes in vain', async () => {
    const batch = batchAsker(await serveWorld({ limits: { answer: 80_000 } }))
    const names = Array.from({ length: 100 }, (_, index) => `created_time.as(${'a'.repeat(50)}${index})`)
    const long = { relative_url: `me?fields=photos.limit(30){${names}}` }
    const short = Array(20).fill({ relative_url: 'me?fields=photos' })
    const answers = await batch([long, ...short])
    expect(answers.map(one => one?.code)).toEqual([400, ...short.map(() => 200)])
  })
})

describe('while an answer is written', () => {
  const LETTERS = 10_000
  const ENTRIES = 100
  const LETTER = 'x'.repeat(LETTERS)

  /** A hundred letters of ten thousand characters each; `onWrite` is called whenever one is written. */
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
    const { answer } = createHandler(graph, options)
    const headers = { authorization: `Bearer ${token}` }
    const path = `1/received?limit=${ENTRIES}&fields=letter`
    return {
      ask: async () => {
        const { status, body = '' } = await answer({ method: 'GET', url: `/${path}`, headers })
        return { status, reason: JSON.parse(body).error?.error_data.reason }
      },
      askTogether: async (times: number): Promise<number[]> => {
        const batch = JSON.stringify(Array(times).fill({ relative_url: path }))
        const form = new URLSearchParams({ batch }).toString()
        const { body = '' } = await answer({ method: 'POST', url: '/', headers, body: form })
        return JSON.parse(body).map(({ code }: { code: number }) => code)
      },
    }
  }

  afterEach(() => {
    vi.useRealTimers()
  })

  it('its limit holds: the rest is not written', async () => {
    let written = 0
    const { ask } = await serveLetters(() => written++, { limits: { answer: 200_000 } })
    expect(await ask()).toEqual({ status: 400, reason: 'answer_too_large' })
    expect(written).toBeLessThan(ENTRIES / 3)
  })

  it('the limit of its batch holds: what begins behind one that was too long is hardly begun', async () => {
    let written = 0
    const { askTogether } = await serveLetters(() => written++, { limits: { answer: 500_000 } })
    expect(await askTogether(10)).toEqual(Array(10).fill(400))
    expect(written).toBeLessThan((2 * 500_000) / LETTERS + 20)
  })

  it('as many of a batch are answered as have room', async () => {
    const { askTogether } = await serveLetters(() => undefined, { limits: { answer: 2_500_000 } })
    expect((await askTogether(10)).toSorted()).toEqual([200, 200, ...Array(8).fill(400)])
  })

  it('its deadline holds: the rest is not written', async () => {
    let written = 0
    const { ask } = await serveLetters(() => {
      written++
      vi.setSystemTime(Date.now() + 1000)
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    expect(await ask()).toEqual({ status: 503, reason: 'deadline' })
    expect(written).toBeLessThan(ENTRIES / 3)
  })
})
