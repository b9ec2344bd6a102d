import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

/** Two names whose response bodies have the same length, and the same hash if the hash has no secret. */
const NAMES = [
  'abcdefgnxanlmnokkqituvwdewrbcdefghijklmn',
  'abcdefgjiaflmnoqSb6tuvwZR9Bbcdefghijklmn',
] as const
const SECRET = 'the secret of the validators'

const readETag = async (name: string, options: { readonly secret?: string }) => {
  const graph = createGraph(createMemoryStore(), options)
  await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name } } }])
  const token = await graph.tokens.issue({ viewer: '4', app: 'demo' })
  const response = await createHandler(graph)(new Request(`http://localhost/me?access_token=${token}`))
  expect(await response.json()).toEqual({ name, id: '4' })
  return response.headers.get('etag') ?? ''
}

describe('ETags under attack', () => {
  it('differ for two bodies that collide in a hash without a secret', async () => {
    const [one, two] = await Promise.all(NAMES.map(name => readETag(name, { secret: SECRET })))
    expect(one).not.toBe(two)
  })

  it('differ for graphs with different secrets, and are random for a graph without one', async () => {
    const [name] = NAMES
    const validators = [
      await readETag(name, {}),
      await readETag(name, {}),
      await readETag(name, { secret: SECRET }),
      await readETag(name, { secret: `${SECRET}.` }),
    ]
    expect(new Set(validators).size).toBe(4)
  })

  it('are equal for graphs with the same secret, and have 128 bits', async () => {
    const [name] = NAMES
    const one = await readETag(name, { secret: SECRET })
    expect(one).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await readETag(name, { secret: SECRET })).toBe(one)
  })

  it('are computed in slices for a long body, so that the event loop is not blocked', async () => {
    const graph = createGraph(createMemoryStore(), { secret: SECRET, limits: { page: 1000 } })
    const text = 'x'.repeat(12_000)
    const ids = Array.from({ length: 500 }, (_, index) => `${index + 10}`)
    await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
    for (const id of ids) {
      await graph.write([
        { op: 'putNode', node: { id, type: 'post', fields: { message: text, from: '4' } } },
        { op: 'putEdge', edge: { source: '4', name: 'posts', target: id, time: Number(id) } },
      ])
    }
    const token = await graph.tokens.issue({ viewer: '4', app: 'demo', scopes: ['user_posts'] })
    const { respond } = createHandler(graph, { limits: { response: 10_000_000 } })
    const url = `/me/posts?fields=message&limit=500&access_token=${token}`
    let tasks = 0
    const tick = setInterval(() => tasks++, 0)
    const sendRequest = async () =>
      respond({ method: 'GET', url, headers: { host: 'localhost' }, body: undefined })
    const response = await sendRequest()
    clearInterval(tick)
    expect(response.body?.length).toBeGreaterThan(6_000_000)
    // The body is hashed in at least six slices, and other tasks of the event loop run between them.
    expect(tasks).toBeGreaterThanOrEqual(3)
    expect((await sendRequest()).headers.ETag).toBe(response.headers.ETag)
  })
})
