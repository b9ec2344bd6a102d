import { describe, expect, it } from 'vitest'
import { proofOf } from '../../../src/access/proof.ts'
import { ADA, GRACE } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { clockedWorld, reasonOf } from './clocked-world.ts'

describe('a proof of possession', () => {
  it('is the HMAC-SHA256 of the token under the secret of the app, in lower-case hex', () => {
    expect(proofOf('bar_token', 'foo_secret')).toBe(
      '2ceec40b7b9fd7d38fff1767b766bcc6b1f9feb378febac4612c156e6a8354bd',
    )
  })

  it('is taken where it is right, and refused where it is wrong', async () => {
    const { graph, issue } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const proof = proofOf(token, 'the secret of demo')
    expect(await graph.getMe(token, { proof })).toMatchObject({ id: ADA })
    for (const wrong of [
      '',
      proof.toUpperCase(),
      proof.slice(1),
      `${proof}0`,
      proofOf(token, 'the secret of other'),
    ]) {
      const fault = await faultOf(graph.getMe(token, { proof: wrong }))
      expect(fault).toMatchObject({
        code: 100,
        type: 'GraphMethodException',
        data: { reason: 'proof_invalid' },
      })
    }
  })

  it('is refused for an app whose secret is not known', async () => {
    const { graph, issue } = await clockedWorld()
    for (const app of ['other', 'constructor', '__proto__']) {
      const token = await issue({ viewer: ADA, app, scopes: [] })
      expect(await reasonOf(graph.getMe(token, { proof: proofOf(token, 'the secret of demo') }))).toBe(
        'proof_invalid',
      )
    }
  })

  it('is compulsory under requireProof, for tokens', async () => {
    const { graph, issue } = await clockedWorld({ requireProof: true })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await reasonOf(graph.getMe(token))).toBe('proof_invalid')
    expect(await graph.getMe(token, { proof: proofOf(token, 'the secret of demo') })).toMatchObject({
      id: ADA,
    })
    expect(await graph.getMe(graph.session({ viewer: ADA, app: 'demo', scopes: [] }))).toMatchObject({
      id: ADA,
    })
  })

  it('covers every read', async () => {
    const { graph, issue } = await clockedWorld({ requireProof: true })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const proof = proofOf(token, 'the secret of demo')
    const call = { id: ADA, edge: 'friends', target: GRACE } as const
    expect(await reasonOf(graph.hasEdge(token, call))).toBe('proof_invalid')
    expect(await graph.hasEdge(token, { ...call, proof })).toBe(true)
    expect((await graph.getEdge(token, { id: ADA, edge: 'friends', proof })).data).toHaveLength(2)
  })
})
