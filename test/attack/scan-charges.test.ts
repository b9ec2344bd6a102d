import type { RateLimiter } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { BatchBudget, RequestCharges } from '../../src/http/request-charges.ts'
import { ResponseSizeLimit } from '../../src/http/response-size-limit.ts'
import { createRecordingLimiter, normalizeResponse, servePolicyWorld, VIEWER } from './policy-world.ts'

/** A call that fails as if it had exceeded its scan limit. */
const EXCEEDING = '/me?fields=exceeding'
const COST = 3
const MORE = 10
const limits = { scan: 1000 }

const usage = (consumedPoints: number) => ({ consumedPoints, remainingPoints: 100, msBeforeNext: 60_000 })

/** Creates a limiter that accepts the first charge, and calls `later` for every other charge. */
const createThenableLimiter = (later: () => Promise<never>): RateLimiter => {
  let calls = 0
  return { consume: async () => (calls++ === 0 ? usage(3) : later()) }
}

const respond = async (app: RateLimiter): Promise<unknown> => {
  const { sendAsViewer } = await servePolicyWorld({ graph: { limits }, rateLimit: { app } })
  const response = await sendAsViewer(EXCEEDING)
  expect(JSON.parse(response.body ?? '').error.error_data).toEqual({
    reason: 'query_too_expensive',
    limit: 100,
  })
  return normalizeResponse(response)
}

describe('a call that examines more edges than limits.scan allows', () => {
  it('is charged an additional hundredth of the limit, to the app and to the viewer', async () => {
    const app = createRecordingLimiter()
    const user = createRecordingLimiter()
    const { sendAsViewer } = await servePolicyWorld({ graph: { limits }, rateLimit: { app, user } })
    const { status, headers } = await sendAsViewer(EXCEEDING)
    expect(status).toBe(400)
    expect(app.charges).toEqual([COST, MORE])
    expect(user.charges).toEqual([COST, MORE])
    expect(headers['X-App-Usage']).toContain('"call_count":0')
  })

  it('has the same response if the additional charge exceeds the rate limit, fails or never ends', async () => {
    const expected = await respond(createThenableLimiter(async () => Promise.reject(usage(103))))
    const outcomes: readonly (() => Promise<never>)[] = [
      () => Promise.reject(new Error('The limiter is down')),
      () => new Promise(() => undefined),
      () => {
        throw new TypeError('The limiter is broken')
      },
    ]
    for (const outcome of outcomes) expect(await respond(createThenableLimiter(outcome))).toEqual(expected)
  })

  it('is charged at most the rest of the budget of its batch', () => {
    const budget = new BatchBudget(100)
    const spending = () =>
      new RequestCharges({
        settings: { appLimiter: undefined, userLimiter: undefined },
        budget,
        responseLimit: new ResponseSizeLimit(1),
        deadline: Number.POSITIVE_INFINITY,
      })
    const session = { viewer: VIEWER, app: 'demo', scopes: [], issuedAt: 0, expiresAt: undefined }
    spending().chargeWithoutWaiting(MORE, session)
    expect(() => spending().charge(91, session)).toThrow('the budget of its batch has 90 left')
    spending().charge(85, session)
    spending().chargeWithoutWaiting(MORE, session)
    expect(() => spending().charge(1, session)).toThrow('the budget of its batch has 0 left')
  })

  it('is not charged if it is an in-process call with an invalid token', async () => {
    const app = createRecordingLimiter()
    const { graph } = await servePolicyWorld({ rateLimit: { app } })
    await expect(graph.getMe('no token', { fields: 'exceeding' })).rejects.toMatchObject({ code: 190 })
    expect(app.charges).toEqual([])
  })
})
