import { createGraph } from 'kithgraph'
import { createHandler, type HandlerOptions, type RateLimiter } from 'kithgraph/http'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, it } from 'vitest'
import { scheduleStore } from '../../src/testing/index.ts'
import { ADA, GRACE, NEWEST_PHOTO } from '../helpers/world.ts'
import { form, jsonOf, serveWorld } from './served-world.ts'

const HOUR = 3600

const limiter = (points: number) => new RateLimiterMemory({ points, duration: HOUR })

const limited = async (rateLimit: NonNullable<HandlerOptions['rateLimit']>) => {
  const world = await serveWorld({ rateLimit })
  const usageOf = async (path: string): Promise<unknown> =>
    JSON.parse((await world.ask(path)).headers.get('x-app-usage') ?? 'null')
  return { ...world, usageOf }
}

const used = (percent: number) => ({ call_count: percent, total_time: percent, total_cputime: percent })

describe('a limiter', () => {
  it('that is not there leaves no trace', async () => {
    const { ask } = await serveWorld()
    expect((await ask('/me')).headers.has('x-app-usage')).toBe(false)
  })

  it('counts what calls cost, and the answer says how much of it is used', async () => {
    const app = limiter(100)
    const { usageOf, graph } = await limited({ app })
    expect(await usageOf('/me')).toEqual(used(1))
    expect(graph.explain({ type: 'user', fields: 'photos.limit(10)' }).cost).toBe(12)
    expect(await usageOf('/me?fields=photos.limit(10)')).toEqual(used(13))
    expect(await usageOf(`/?ids=${ADA},${GRACE}`)).toEqual(used(15))
    expect((await app.get('demo'))?.consumedPoints).toBe(15)
  })

  it('of an app refuses by code 4, and says when to come again', async () => {
    const { ask } = await limited({ app: limiter(2) })
    await ask('/me')
    await ask('/me')
    const { status, headers, text } = await ask('/me')
    expect(status).toBe(403)
    expect(JSON.parse(text).error).toMatchObject({
      message: '(#4) Application request limit reached',
      type: 'OAuthException',
      is_transient: true,
      code: 4,
      error_data: { reason: 'rate_limited_app', retry_after: Number(headers.get('retry-after')) },
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(HOUR - 60)
    expect(JSON.parse(`${headers.get('x-app-usage')}`)).toEqual(used(100))
  })

  it('of a user refuses that user by code 17, and no other', async () => {
    const { ask, send, graph } = await limited({ user: limiter(1) })
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const elsewhere = await graph.tokens.issue({ viewer: ADA, app: 'other' })
    await ask('/me')
    expect(jsonOf(await ask('/me')).error).toMatchObject({ code: 17, is_transient: true })
    expect((await send(`/me?access_token=${grace}`)).status).toBe(200)
    expect((await send(`/me?access_token=${elsewhere}`)).status).toBe(200)
  })

  it('of a user takes nothing from the app for what it refuses', async () => {
    const app = limiter(100)
    const { ask, send, graph } = await limited({ app, user: limiter(3) })
    for (const status of [200, 200, 200, 403, 403, 403]) expect((await ask('/me')).status).toBe(status)
    expect((await app.get('demo'))?.consumedPoints).toBe(3)
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    expect((await send(`/me?access_token=${grace}`)).status).toBe(200)
  })

  it('that has nothing left refuses calls that fail, too', async () => {
    const { ask, reasonOf } = await limited({ app: limiter(1) })
    await ask('/me')
    for (const path of ['/999', '/me?fields=nmae', '/me?fields=a,,b', '/me?partial=2'])
      expect([path, await reasonOf(path)]).toEqual([path, 'rate_limited_app'])
  })

  it('does not ask of a user where there is none', async () => {
    const { send } = await limited({ user: limiter(1) })
    const path = `/${NEWEST_PHOTO}?access_token=demo%7Cthe%20secret%20of%20demo`
    for (const status of [200, 200]) expect((await send(path)).status).toBe(status)
  })

  it('counts calls that fail, and those that read no node', async () => {
    const app = limiter(100)
    const { ask } = await limited({ app })
    const paths = [
      '/999',
      '/me?fields=nmae',
      '/me?fields=a,,b',
      '/me?partial=2',
      '/me/permissions',
      '/debug_token?input_token=x',
      '/',
    ]
    for (const [index, path] of paths.entries()) {
      await ask(path)
      expect([path, (await app.get('demo'))?.consumedPoints]).toEqual([path, index + 1])
    }
  })

  it('counts 304, and does not count those whom nobody knows', async () => {
    const app = limiter(100)
    const { ask, send } = await limited({ app })
    expect((await ask('/me', { headers: { 'if-none-match': '*' } })).status).toBe(304)
    await send('/me')
    await send('/me?access_token=x')
    expect((await app.get('demo'))?.consumedPoints).toBe(1)
  })

  it('counts each request of a batch, and refuses each for itself', async () => {
    const { ask } = await limited({ app: limiter(2) })
    const batch = JSON.stringify([{ relative_url: 'me' }, { relative_url: 'me' }, { relative_url: 'me' }])
    const { status, text } = await ask('/', form({ batch }))
    expect(status).toBe(200)
    const codes = JSON.parse(text).map(({ code }: { code: number }) => code)
    expect(codes.toSorted()).toEqual([200, 200, 403])
  })

  it('has the answer to a batch say the highest share that one of its requests found used', async () => {
    const { ask, send, graph } = await limited({ app: limiter(100) })
    const other = await graph.tokens.issue({ viewer: GRACE, app: 'other' })
    const usageOf = async (...paths: string[]): Promise<unknown> => {
      const batch = JSON.stringify(paths.map(path => ({ relative_url: path })))
      const { headers } = await ask('/', form({ batch, include_headers: 'false' }))
      return JSON.parse(headers.get('x-app-usage') ?? 'null')
    }
    expect(await usageOf('me?fields=photos.limit(10)', '999')).toEqual(used(13))
    expect(await usageOf('me', `me?access_token=${other}`)).toEqual(used(14))
    expect(await usageOf()).toEqual(used(15))
    const batch = '[{"relative_url":"me"}]'
    expect((await send('/', form({ batch }))).headers.has('x-app-usage')).toBe(false)
  })

  it('counts requests that the budget of their batch refuses', async () => {
    const app = limiter(1_000_000)
    const { ask, graph } = await limited({ app })
    const fields = 'photos.limit(100){comments.limit(100)}'
    const { cost } = graph.explain({ type: 'user', fields })
    const requests = 50
    const batch = JSON.stringify(
      Array.from({ length: requests }, () => ({ relative_url: `me?fields=${fields}` })),
    )
    await ask('/', form({ batch }))
    const served = Math.floor(250_000 / cost)
    expect((await app.get('demo'))?.consumedPoints).toBe(served * cost + requests - served)
  })

  it('refuses before the store is asked for more than the roots', async () => {
    const reads: number[] = []
    const { store } = await serveWorld()
    const counted = scheduleStore(store, async (_, run) => {
      reads.push(1)
      return run()
    })
    const graph = createGraph(counted)
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: ['user_photos'] })
    const handler = createHandler(graph, { rateLimit: { app: limiter(1) } })
    const ask = () =>
      handler.answer({ method: 'GET', url: `/1?fields=photos{likes}&access_token=${token}`, headers: {} })
    reads.length = 0
    expect((await ask()).status).toBe(403)
    expect(reads).toHaveLength(1)
  })

  it('that says nothing is waited for until the deadline', async () => {
    const world = await serveWorld({
      rateLimit: { app: { consume: () => new Promise(() => undefined) } },
      graph: { limits: { deadline: 50 } },
    })
    for (const path of ['/me', '/me/permissions', '/999']) {
      const { status, text } = await world.ask(path)
      expect([status, JSON.parse(text).error.error_data.reason]).toEqual([503, 'deadline'])
    }
  })

  it('that fails is a fault of the service, which says nothing of it', async () => {
    const broken: RateLimiter = { consume: () => Promise.reject(new Error('redis://secret is down')) }
    const { ask, faults } = await limited({ app: broken })
    const { status, text } = await ask('/me')
    expect(status).toBe(503)
    expect(JSON.parse(text).error).toMatchObject({ code: 2, is_transient: true })
    expect(text).not.toContain('secret')
    expect(faults[0]?.cause).toEqual(new Error('redis://secret is down'))
  })
})
