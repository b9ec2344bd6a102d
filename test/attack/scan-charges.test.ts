import type { RateLimiter } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { AnswerRoom } from '../../src/http/answer-room.ts'
import { Budget, Spending } from '../../src/http/spending.ts'
import { plain, recordingLimiter, servePolicedWorld, VIEWER } from './policed-world.ts'

/** A call that exceeds its scan limit, which is 1,000 edges. */
const EXCEEDING = '/me?fields=exceeding'
const COST = 3
const MORE = 10
const limits = { scan: 1000 }

const usage = (consumedPoints: number) => ({ consumedPoints, remainingPoints: 100, msBeforeNext: 60_000 })

/** A limiter whose first charge is accepted, and which does something else with all later ones. */
const thenLimiter = (later: () => Promise<never>): RateLimiter => {
  let calls = 0
  return { consume: async () => (calls++ === 0 ? usage(3) : later()) }
}

const respond = async (app: RateLimiter): Promise<unknown> => {
  const { ask } = await servePolicedWorld({ graph: { limits }, rateLimit: { app } })
  const response = await ask(EXCEEDING)
  expect(JSON.parse(response.body ?? '').error.error_data).toEqual({ reason: 'too_costly', limit: 100 })
  return plain(response)
}

describe('a call that exceeds its scan limit', () => {
  it('is charged a hundredth of the limit more, of the app and of the viewer', async () => {
    const app = recordingLimiter()
    const user = recordingLimiter()
    const { ask } = await servePolicedWorld({ graph: { limits }, rateLimit: { app, user } })
    const { status, headers } = await ask(EXCEEDING)
    expect(status).toBe(400)
    expect(app.charges).toEqual([COST, MORE])
    expect(user.charges).toEqual([COST, MORE])
    expect(headers['X-App-Usage']).toContain('"call_count":0')
  })

  it('is answered the same whatever comes of that charge', async () => {
    const expected = await respond(thenLimiter(async () => Promise.reject(usage(103))))
    const outcomes: readonly (() => Promise<never>)[] = [
      () => Promise.reject(new Error('The limiter is down')),
      () => new Promise(() => undefined),
      () => {
        throw new TypeError('The limiter is broken')
      },
    ]
    for (const outcome of outcomes) expect(await respond(thenLimiter(outcome))).toEqual(expected)
  })

  it('takes as much of the budget of its batch as there is', () => {
    const budget = new Budget(100)
    const spending = () =>
      new Spending({
        settings: { appLimiter: undefined, userLimiter: undefined },
        budget,
        room: new AnswerRoom(1),
        deadline: Number.POSITIVE_INFINITY,
      })
    const session = { viewer: VIEWER, app: 'demo', scopes: [], issuedAt: 0, expiresAt: undefined }
    spending().chargeScan(MORE, session)
    expect(() => spending().charge(91, session)).toThrow('the budget of its batch has 90 left')
    spending().charge(85, session)
    spending().chargeScan(MORE, session)
    expect(() => spending().charge(1, session)).toThrow('the budget of its batch has 0 left')
  })

  it('is charged nothing more before anybody knows whose call it is', async () => {
    const app = recordingLimiter()
    const { graph } = await servePolicedWorld({ rateLimit: { app } })
    await expect(graph.getMe('no token', { fields: 'exceeding' })).rejects.toMatchObject({ code: 190 })
    expect(app.charges).toEqual([])
  })
})
