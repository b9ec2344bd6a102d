import { createGraph } from 'kithgraph'
import { createHandler, type HandlerOptions, type RateLimiter } from 'kithgraph/http'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, it } from 'vitest'
import { scheduleStore } from '../../src/testing/index.ts'
import { ADA, GRACE, NEWEST_PHOTO } from '../helpers/world.ts'
import { createFormRequest, parseJson, serveWorld } from './served-world.ts'

const HOUR = 3600

const createLimiter = (points: number) => new RateLimiterMemory({ points, duration: HOUR })

const serveLimited = async (rateLimit: NonNullable<HandlerOptions['rateLimit']>) => {
  const world = await serveWorld({ rateLimit })
  const usageOf = async (path: string): Promise<unknown> =>
    JSON.parse((await world.sendAsAda(path)).headers.get('x-app-usage') ?? 'null')
  return { ...world, usageOf }
}

const createUsage = (percent: number) => ({
  call_count: percent,
  total_time: percent,
  total_cputime: percent,
})

describe('a rate limiter', () => {
  it('is optional: without one, no response has usage headers', async () => {
    const { sendAsAda } = await serveWorld()
    expect((await sendAsAda('/me')).headers.has('x-app-usage')).toBe(false)
  })

  it('counts the cost of calls, and returns the used share in a header', async () => {
    const app = createLimiter(100)
    const { usageOf, graph } = await serveLimited({ app })
    expect(await usageOf('/me')).toEqual(createUsage(1))
    expect(graph.explain({ type: 'user', fields: 'photos.limit(10)' }).cost).toBe(12)
    expect(await usageOf('/me?fields=photos.limit(10)')).toEqual(createUsage(13))
    expect(await usageOf(`/?ids=${ADA},${GRACE}`)).toEqual(createUsage(15))
    expect((await app.get('demo'))?.consumedPoints).toBe(15)
  })

  it('rejects an app that exceeds it with code 4 and the time until the next attempt', async () => {
    const { sendAsAda } = await serveLimited({ app: createLimiter(2) })
    await sendAsAda('/me')
    await sendAsAda('/me')
    const { status, headers, text } = await sendAsAda('/me')
    expect(status).toBe(403)
    expect(JSON.parse(text).error).toMatchObject({
      message: '(#4) Application request limit reached',
      type: 'OAuthException',
      is_transient: true,
      code: 4,
      error_data: { reason: 'app_rate_limited', retry_after: Number(headers.get('retry-after')) },
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(HOUR - 60)
    expect(JSON.parse(`${headers.get('x-app-usage')}`)).toEqual(createUsage(100))
  })

  it('rejects only the user who exceeds it, with code 17', async () => {
    const { sendAsAda, send, graph } = await serveLimited({ user: createLimiter(1) })
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const elsewhere = await graph.tokens.issue({ viewer: ADA, app: 'other' })
    await sendAsAda('/me')
    expect(parseJson(await sendAsAda('/me')).error).toMatchObject({ code: 17, is_transient: true })
    expect((await send(`/me?access_token=${grace}`)).status).toBe(200)
    expect((await send(`/me?access_token=${elsewhere}`)).status).toBe(200)
  })

  it('does not charge the app for calls that the limit of the user rejects', async () => {
    const app = createLimiter(100)
    const { sendAsAda, send, graph } = await serveLimited({ app, user: createLimiter(3) })
    for (const status of [200, 200, 200, 403, 403, 403]) expect((await sendAsAda('/me')).status).toBe(status)
    expect((await app.get('demo'))?.consumedPoints).toBe(3)
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    expect((await send(`/me?access_token=${grace}`)).status).toBe(200)
  })

  it('also rejects calls that would fail, once it is exceeded', async () => {
    const { sendAsAda, reasonOf } = await serveLimited({ app: createLimiter(1) })
    await sendAsAda('/me')
    for (const path of ['/999', '/me?fields=nmae', '/me?fields=a,,b', '/me?partial=2'])
      expect([path, await reasonOf(path)]).toEqual([path, 'app_rate_limited'])
  })

  it('does not apply the limit of users to a token without a viewer', async () => {
    const { send } = await serveLimited({ user: createLimiter(1) })
    const path = `/${NEWEST_PHOTO}?access_token=demo%7Cthe%20secret%20of%20demo`
    for (const status of [200, 200]) expect((await send(path)).status).toBe(status)
  })

  it('counts calls that fail and calls that read no node', async () => {
    const app = createLimiter(100)
    const { sendAsAda } = await serveLimited({ app })
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
      await sendAsAda(path)
      expect([path, (await app.get('demo'))?.consumedPoints]).toEqual([path, index + 1])
    }
  })

  it('counts responses with status 304, but not requests without a valid token', async () => {
    const app = createLimiter(100)
    const { sendAsAda, send } = await serveLimited({ app })
    expect((await sendAsAda('/me', { headers: { 'if-none-match': '*' } })).status).toBe(304)
    await send('/me')
    await send('/me?access_token=x')
    expect((await app.get('demo'))?.consumedPoints).toBe(1)
  })

  it('counts and rejects each request of a batch separately', async () => {
    const { sendAsAda } = await serveLimited({ app: createLimiter(2) })
    const batch = JSON.stringify([{ relative_url: 'me' }, { relative_url: 'me' }, { relative_url: 'me' }])
    const { status, text } = await sendAsAda('/', createFormRequest({ batch }))
    expect(status).toBe(200)
    const codes = JSON.parse(text).map(({ code }: { code: number }) => code)
    expect(codes.toSorted()).toEqual([200, 200, 403])
  })

  it('adds the highest used share of all requests to the response of a batch', async () => {
    const { sendAsAda, send, graph } = await serveLimited({ app: createLimiter(100) })
    const other = await graph.tokens.issue({ viewer: GRACE, app: 'other' })
    const usageOf = async (...paths: string[]): Promise<unknown> => {
      const batch = JSON.stringify(paths.map(path => ({ relative_url: path })))
      const { headers } = await sendAsAda('/', createFormRequest({ batch, include_headers: 'false' }))
      return JSON.parse(headers.get('x-app-usage') ?? 'null')
    }
    expect(await usageOf('me?fields=photos.limit(10)', '999')).toEqual(createUsage(13))
    expect(await usageOf('me', `me?access_token=${other}`)).toEqual(createUsage(14))
    expect(await usageOf()).toEqual(createUsage(15))
    const batch = '[{"relative_url":"me"}]'
    expect((await send('/', createFormRequest({ batch }))).headers.has('x-app-usage')).toBe(false)
  })

  it('counts requests that the budget of their batch rejects', async () => {
    const app = createLimiter(1_000_000)
    const { sendAsAda, graph } = await serveLimited({ app })
    const fields = 'photos.limit(100){comments.limit(100)}'
    const { cost } = graph.explain({ type: 'user', fields })
    const requests = 50
    const batch = JSON.stringify(
      Array.from({ length: requests }, () => ({ relative_url: `me?fields=${fields}` })),
    )
    await sendAsAda('/', createFormRequest({ batch }))
    const served = Math.floor(250_000 / cost)
    expect((await app.get('demo'))?.consumedPoints).toBe(served * cost + requests - served)
  })

  it('rejects a call before the store reads more than the requested nodes', async () => {
    const reads: number[] = []
    const { store } = await serveWorld()
    const counted = scheduleStore(store, async (_, run) => {
      reads.push(1)
      return run()
    })
    const graph = createGraph(counted)
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: ['user_photos'] })
    const handler = createHandler(graph, { rateLimit: { app: createLimiter(1) } })
    const sendAsAda = () =>
      handler.respond({ method: 'GET', url: `/1?fields=photos{likes}&access_token=${token}`, headers: {} })
    reads.length = 0
    expect((await sendAsAda()).status).toBe(403)
    expect(reads).toHaveLength(1)
  })

  it('causes a timeout if it does not respond', async () => {
    const world = await serveWorld({
      rateLimit: { app: { consume: () => new Promise(() => undefined) } },
      graph: { limits: { timeoutMs: 50 } },
    })
    for (const path of ['/me', '/me/permissions', '/999']) {
      const { status, text } = await world.sendAsAda(path)
      expect([status, JSON.parse(text).error.error_data.reason]).toEqual([503, 'timeout'])
    }
  })

  it('causes status 503 without details if it fails', async () => {
    const broken: RateLimiter = { consume: () => Promise.reject(new Error('redis://secret is down')) }
    const { sendAsAda, errors } = await serveLimited({ app: broken })
    const { status, text } = await sendAsAda('/me')
    expect(status).toBe(503)
    expect(JSON.parse(text).error).toMatchObject({ code: 2, is_transient: true })
    expect(text).not.toContain('secret')
    expect(errors[0]?.cause).toEqual(new Error('redis://secret is down'))
  })
})
