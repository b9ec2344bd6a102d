import { describe, expect, it } from 'vitest'
import { ADA, createWorld } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { openClockedWorld } from './clocked-world.ts'

/** Clients of the classic protocol look for these words and codes in messages. */
describe('the message of an error', () => {
  it('begins with the words of the protocol for an invalid or missing token', async () => {
    const { clock, graph, issue } = await openClockedWorld()
    const [expired, revoked] = [
      await issue({ viewer: ADA, app: 'demo', scopes: [], expiresInMs: 1000 }),
      await issue({ viewer: ADA, app: 'demo', scopes: [] }),
    ]
    await graph.tokens.revoke(revoked)
    clock.now += 1000
    for (const [token, code, subcode, words] of [
      ['x', 190, undefined, /^Invalid OAuth access token/],
      [expired, 190, 463, /^Error validating access token: /],
      [revoked, 190, 466, /^Error validating access token: /],
      ['', 104, undefined, /^\(#104\) An access token is required to request this resource/],
    ] as const) {
      const { message, ...error } = await expectGraphError(graph.getMe(token))
      expect({ code: error.code, subcode: error.subcode }).toEqual({ code, subcode })
      expect(message).toMatch(words)
    }
  })

  it('begins with the words of the protocol for a token without a viewer', async () => {
    const { graph } = await createWorld()
    const app = graph.session({ viewer: undefined, app: 'demo', scopes: [] })
    const { code, message } = await expectGraphError(graph.getMe(app))
    expect(code).toBe(2500)
    expect(message).toMatch(
      /^An active access token must be used to query information about the current user/,
    )
  })

  it('begins with the words of the protocol for an unknown field, with its name and type', async () => {
    const { graph } = await createWorld()
    const ada = graph.session({ viewer: ADA, app: 'demo', scopes: [] })
    for (const [call, text] of [
      [callUntyped(graph.getNode, ada, { id: ADA, fields: 'nmae' }), '(nmae) on node type (user)'],
      [callUntyped(graph.getEdge, ada, { id: ADA, edge: 'freinds' }), '(freinds) on node type (user)'],
      [callUntyped(graph.getNode, ada, { id: ADA, fields: 'picture{ulr}' }), '(ulr) in picture'],
    ] as const) {
      const { code, message } = await expectGraphError(call)
      expect(code).toBe(100)
      expect(message.startsWith(`(#100) Tried accessing nonexisting field ${text}`)).toBe(true)
    }
  })
})
