import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

/** Two names that give two bodies of the same length the same value under a hash that everybody can compute. */
const NAMES = [
  'abcdefgnxanlmnokkqituvwdewrbcdefghijklmn',
  'abcdefgjiaflmnoqSb6tuvwZR9Bbcdefghijklmn',
] as const
const SECRET = 'the secret of the validators'

const validatorOf = async (name: string, options: { readonly secret?: string }) => {
  const graph = createGraph(createMemoryStore(), options)
  await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name } } }])
  const token = await graph.tokens.issue({ viewer: '4', app: 'demo' })
  const response = await createHandler(graph)(new Request(`http://localhost/me?access_token=${token}`))
  expect(await response.json()).toEqual({ name, id: '4' })
  return response.headers.get('etag') ?? ''
}

describe('ETags under attack', () => {
  it('differ for two bodies that were chosen to collide', async () => {
    const [one, two] = await Promise.all(NAMES.map(name => validatorOf(name, { secret: SECRET })))
    expect(one).not.toBe(two)
  })

  it('cannot be computed without the secret: they differ from graph to graph without one', async () => {
    const [name] = NAMES
    const validators = [
      await validatorOf(name, {}),
      await validatorOf(name, {}),
      await validatorOf(name, { secret: SECRET }),
      await validatorOf(name, { secret: `${SECRET}.` }),
    ]
    expect(new Set(validators).size).toBe(4)
  })

  it('are the same in all processes with the secret, and have 128 bits', async () => {
    const [name] = NAMES
    const one = await validatorOf(name, { secret: SECRET })
    expect(one).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await validatorOf(name, { secret: SECRET })).toBe(one)
  })

  it('are made of a long body in slices, so that the event loop is not held', async () => {
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
    const { answer } = createHandler(graph, { limits: { answer: 10_000_000 } })
    const url = `/me/posts?fields=message&limit=500&access_token=${token}`
    let tasks = 0
    const tick = setInterval(() => tasks++, 0)
    const asked = async () => answer({ method: 'GET', url, headers: { host: 'localhost' }, body: undefined })
    const response = await asked()
    clearInterval(tick)
    expect(response.body?.length).toBeGreaterThan(6_000_000)
    // Between six slices or more, what waits for the event loop runs.
    expect(tasks).toBeGreaterThanOrEqual(3)
    expect((await asked()).headers.ETag).toBe(response.headers.ETag)
  })
})
