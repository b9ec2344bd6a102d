import { describe, expect, it } from 'vitest'
import { ADA, createWorld } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { clockedWorld } from './clocked-world.ts'

/** The words that clients of the protocol look for in messages, each with its code. */
describe('the message of an error', () => {
  it('about a token has the words of the protocol in front', async () => {
    const { clock, graph, issue } = await clockedWorld()
    const [expired, revoked] = [
      await issue({ viewer: ADA, app: 'demo', scopes: [], expiresIn: 1000 }),
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
      const { message, ...fault } = await faultOf(graph.getMe(token))
      expect({ code: fault.code, subcode: fault.subcode }).toEqual({ code, subcode })
      expect(message).toMatch(words)
    }
  })

  it('about a `me` that does not exist begins with the words of the protocol', async () => {
    const { graph } = await createWorld()
    const app = graph.session({ viewer: undefined, app: 'demo', scopes: [] })
    const { code, message } = await faultOf(graph.getMe(app))
    expect(code).toBe(2500)
    expect(message).toMatch(
      /^An active access token must be used to query information about the current user/,
    )
  })

  it('about a name that does not exist says so in the words of the protocol, with name and type', async () => {
    const { graph } = await createWorld()
    const ada = graph.session({ viewer: ADA, app: 'demo', scopes: [] })
    for (const [call, text] of [
      [loosely(graph.getNode, ada, { id: ADA, fields: 'nmae' }), '(nmae) on node type (user)'],
      [loosely(graph.getEdge, ada, { id: ADA, edge: 'freinds' }), '(freinds) on node type (user)'],
      [loosely(graph.getNode, ada, { id: ADA, fields: 'picture{ulr}' }), '(ulr) in picture'],
    ] as const) {
      const { code, message } = await faultOf(call)
      expect(code).toBe(100)
      expect(message.startsWith(`(#100) Tried accessing nonexisting field ${text}`)).toBe(true)
    }
  })
})
