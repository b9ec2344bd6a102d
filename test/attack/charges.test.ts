import type { RateLimiter } from 'kithgraph/http'
import { type CountedStore, countReads } from 'kithgraph/testing'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, it } from 'vitest'
import {
  createRecordingLimiter,
  FRIEND,
  HIDDEN_PHOTO,
  MISSING,
  normalizeResponse,
  OPEN_PHOTO,
  PLACE,
  STRANGER,
  servePolicyWorld,
  VIEWER,
} from './policy-world.ts'

const UNKNOWN_IDS = Array.from({ length: 50 }, (_, index) => `${5000 + index}`).join(',')

describe('a call that reads few or no nodes', () => {
  it('is rejected if its unknown ids cost more than the rate limit allows', async () => {
    const { sendAsViewer } = await servePolicyWorld({
      rateLimit: { app: new RateLimiterMemory({ points: 3, duration: 3600 }) },
    })
    const statuses: number[] = []
    for (let call = 0; call < 200; call++)
      statuses.push((await sendAsViewer(`/?partial=1&ids=${UNKNOWN_IDS}`)).status)
    expect(new Set(statuses)).toEqual(new Set([403]))
  })

  it.each([
    ['invalid ids', '/?partial=1&ids=x,y', 1],
    ['unknown ids', '/?partial=1&ids=991,992,993', 3],
    ['an edge of unknown ids', '/photos?partial=1&ids=991,992,993', 3],
    ['an edge that their types do not have', `/photos?partial=1&ids=${PLACE},991`, 2],
    [
      'an unknown id and one that exists',
      `/?partial=1&fields=pictures.limit(3)&ids=${PLACE},991`,
      1 + 13 + 1,
    ],
  ])('is charged 1 for each valid id without a result, and at least 1: %s', async (_, url, cost) => {
    const app = createRecordingLimiter()
    const { sendAsViewer } = await servePolicyWorld({ rateLimit: { app } })
    await sendAsViewer(url)
    expect(app.charges).toEqual([cost])
  })

  it('uses 1 of the budget of its batch if its ids are invalid', async () => {
    // The budget is ten times the limit on the cost of a call.
    const { batch } = await servePolicyWorld({ graph: { limits: { cost: 2 } } })
    const codes = (await batch(...Array.from({ length: 30 }, () => '/?partial=1&ids=x'))).map(
      ({ code }) => code,
    )
    expect(codes).toEqual([...Array(20).fill(200), ...Array(10).fill(400)])
  })

  it('uses 1 of the budget of its batch if it lists permissions', async () => {
    const { batch } = await servePolicyWorld({ graph: { limits: { cost: 2 } } })
    const codes = (await batch(...Array.from({ length: 30 }, () => '/me/permissions'))).map(
      ({ code }) => code,
    )
    expect(codes).toEqual([...Array(20).fill(200), ...Array(10).fill(400)])
  })
})

describe('a call that fails before its full cost is charged', () => {
  it.each([
    ['a syntax error', '/me?fields=a,,b'],
    ['an unknown field', '/me?fields=nmae'],
    ['an unknown field of a node of a known type', `/${PLACE}?node_type=place&fields=nmae`],
    ['an unknown edge', `/${PLACE}/likes?node_type=place`],
    ['a cost above the limit', '/me?fields=friends.limit(100){friends.limit(100){friends.limit(100)}}'],
    ['a cursor of another edge', '/me?fields=friends.after(cGhvdG9zOnI6)'],
    ['an invalid cursor', '/me/friends?after=x'],
    ['a missing node', `/${MISSING}`],
    ['a hidden node', `/${STRANGER}`],
    ['a hidden node among others', `/?ids=${PLACE},${STRANGER}`],
    ['an unsupported method', `/${PLACE}?method=delete`],
    ['an invalid parameter', '/me?partial=2'],
    ['too many ids', `/?ids=${UNKNOWN_IDS},1`],
  ])('is charged 1: %s', async (_, url) => {
    const app = createRecordingLimiter()
    const { sendAsViewer } = await servePolicyWorld({ rateLimit: { app } })
    expect((await sendAsViewer(url)).status).toBe(400)
    expect(app.charges).toEqual([1])
  })
})

describe('a hidden node and a missing one', () => {
  it.each([
    ['a node', (id: string) => `/${id}`, STRANGER],
    ['a node whose policy reads only its fields', (id: string) => `/${id}`, HIDDEN_PHOTO],
    ['a node of a known type', (id: string) => `/${id}?node_type=user&fields=friends.limit(9)`, STRANGER],
    [
      'a known type, for a visible node of another type',
      (id: string) => `/${id}?node_type=place&fields=pictures`,
      FRIEND,
    ],
    ['a photo of a known type', (id: string) => `/${id}?node_type=photo&fields=likes,from`, HIDDEN_PHOTO],
    ['an unknown field of a known type', (id: string) => `/${id}?node_type=user&fields=nmae`, STRANGER],
    ['a list of a known type', (id: string) => `/${id}/friends?node_type=user&limit=9&summary=1`, STRANGER],
    ['a list', (id: string) => `/${id}/friends?limit=9`, STRANGER],
    ['one of several nodes', (id: string) => `/?partial=1&ids=${VIEWER},${id}&fields=friends`, STRANGER],
    ['lists of several nodes', (id: string) => `/friends?partial=1&ids=${VIEWER},${id}`, STRANGER],
    [
      'lists of several nodes of a known type',
      (id: string) => `/friends?partial=1&node_type=user&ids=${VIEWER},${id}`,
      STRANGER,
    ],
  ])('have the same charge and the same response: %s', async (_, url, hidden) => {
    const charged = async (id: string) => {
      const app = createRecordingLimiter()
      const { sendAsViewer } = await servePolicyWorld({ rateLimit: { app } })
      return [normalizeResponse(await sendAsViewer(url(id)), id), app.charges]
    }
    expect(await charged(hidden)).toEqual(await charged(MISSING))
  })
})

describe('the number of hidden edges that policies examine', () => {
  const expensiveUrl = `/${PLACE}?fields=pictures.limit(7),visitors.summary(true)`
  const page = `/${PLACE}/pictures?limit=1`
  const count = `/${PLACE}/pictures?node_type=place&summary=true`

  it('changes no charge, no header and no byte of a response', async () => {
    const transcript = async (hidden: number) => {
      const app = createRecordingLimiter()
      const user = new RateLimiterMemory({ points: 480, duration: 3600 })
      const { sendAsViewer } = await servePolicyWorld({ hidden, rateLimit: { app, user } })
      const responses: unknown[] = []
      for (const url of [page, expensiveUrl, count, count, page, expensiveUrl, count])
        responses.push(normalizeResponse(await sendAsViewer(url)))
      return { responses, charges: app.charges }
    }
    const without = await transcript(0)
    expect(without.charges).toEqual([12, 178, 136, 136, 12])
    expect(await transcript(300)).toEqual(without)
  })

  it('does not change how much of the budget of a batch is used', async () => {
    const transcript = async (hidden: number) => {
      const { batch } = await servePolicyWorld({ hidden, graph: { limits: { cost: 200 } } })
      const responses = await batch(...Array(12).fill(expensiveUrl), page)
      return responses.map(({ code, body }) => normalizeResponse({ status: code, headers: {}, body }))
    }
    const without = await transcript(0)
    expect(JSON.stringify(without)).toContain('the budget of its batch has 42 left')
    expect(await transcript(300)).toEqual(without)
  })
})

/** A limiter without any points left. */
const exhausted: RateLimiter = {
  consume: () => Promise.reject({ consumedPoints: 2, remainingPoints: 0, msBeforeNext: 1000 }),
}

describe('a call that exceeds the rate limit', () => {
  it.each([
    ['a node of a known type', `/${STRANGER}?node_type=user`],
    ['a list of a node whose policy reads only its fields', `/${OPEN_PHOTO}?fields=likes`],
    ['the viewer, of a known type', '/me?node_type=user&fields=friends'],
    ['a list of an open node', `/${PLACE}/visitors`],
    ['a list of an open node whose edge has a policy', `/${PLACE}/guarded`],
    ['lists of open nodes', `/visitors?ids=${PLACE}`],
    ['open nodes', `/?ids=${PLACE}&fields=visitors`],
    ['a list of a known type', `/${STRANGER}/friends?node_type=user`],
  ])('sends no policy checks to the store: %s', async (_, url) => {
    const counted: CountedStore[] = []
    const { sendAsViewer } = await servePolicyWorld({
      rateLimit: { app: exhausted },
      wrap(store) {
        counted.push(countReads(store))
        return counted[0] ?? store
      },
    })
    counted[0]?.clear()
    expect((await sendAsViewer(url)).status).toBe(403)
    const checkCounts = counted.flatMap(({ reads }) => reads.map(({ requested }) => requested.checks))
    expect(new Set(checkCounts)).toEqual(new Set([0]))
  })
})

describe('a request for one entry of an edge', () => {
  it('is charged the same for a visible, hidden or missing target, and 1 if its source is hidden or missing', async () => {
    for (const source of [VIEWER, FRIEND, STRANGER, MISSING]) {
      for (const target of [VIEWER, FRIEND, STRANGER, MISSING]) {
        const app = createRecordingLimiter()
        const { sendAsViewer } = await servePolicyWorld({ rateLimit: { app } })
        await sendAsViewer(`/${source}/friends/${target}`)
        // Each of the two people costs 2: one for the node, and one for the check of its policy. If the
        // viewer may not see the source, the call costs 1.
        const cost = source === STRANGER || source === MISSING ? 1 : 4
        expect([source, target, app.charges]).toEqual([source, target, [cost]])
      }
    }
  })
})
