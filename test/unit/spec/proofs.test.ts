import { describe, expect, it } from 'vitest'
import { computeProof } from '../../../src/access/proof.ts'
import { ADA, GRACE } from '../../helpers/world.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { catchReason, openClockedWorld } from './clocked-world.ts'

describe('a proof of possession', () => {
  it('is the HMAC-SHA256 of the token under the secret of the app, in lower-case hex', () => {
    expect(computeProof('bar_token', 'foo_secret')).toBe(
      '2ceec40b7b9fd7d38fff1767b766bcc6b1f9feb378febac4612c156e6a8354bd',
    )
  })

  it('is accepted if it is right and rejected if it is wrong', async () => {
    const { graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const proof = computeProof(token, 'the secret of demo')
    expect(await graph.getMe(token, { proof })).toMatchObject({ id: ADA })
    for (const wrong of [
      '',
      proof.toUpperCase(),
      proof.slice(1),
      `${proof}0`,
      computeProof(token, 'the secret of other'),
    ]) {
      const error = await expectGraphError(graph.getMe(token, { proof: wrong }))
      expect(error).toMatchObject({
        code: 100,
        type: 'GraphMethodException',
        reason: 'proof_invalid',
      })
    }
  })

  it('is rejected for an app without a known secret', async () => {
    const { graph, issue } = await openClockedWorld()
    for (const app of ['other', 'constructor', '__proto__']) {
      const token = await issue({ viewer: ADA, app, scopes: [] })
      expect(
        await catchReason(graph.getMe(token, { proof: computeProof(token, 'the secret of demo') })),
      ).toBe('proof_invalid')
    }
  })

  it('is required for tokens, not for sessions, with the option requireProof', async () => {
    const { graph, issue } = await openClockedWorld({ requireProof: true })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await catchReason(graph.getMe(token))).toBe('proof_invalid')
    expect(await graph.getMe(token, { proof: computeProof(token, 'the secret of demo') })).toMatchObject({
      id: ADA,
    })
    expect(await graph.getMe(graph.session({ viewer: ADA, app: 'demo', scopes: [] }))).toMatchObject({
      id: ADA,
    })
  })

  it('is required by hasEdge and accepted by hasEdge and getEdge, with the option requireProof', async () => {
    const { graph, issue } = await openClockedWorld({ requireProof: true })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const proof = computeProof(token, 'the secret of demo')
    const call = { id: ADA, edge: 'friends', target: GRACE } as const
    expect(await catchReason(graph.hasEdge(token, call))).toBe('proof_invalid')
    expect(await graph.hasEdge(token, { ...call, proof })).toBe(true)
    expect((await graph.getEdge(token, { id: ADA, edge: 'friends', proof })).data).toHaveLength(2)
  })
})
