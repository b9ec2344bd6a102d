/**
 * Authentication: tokens with scopes, expiry and revocation, proofs of possession, and sessions that stay in
 * the process.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createGraph, isGraphError } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

const HOUR = 3_600_000
const clock = { now: Date.UTC(2026, 0, 1) }
const appSecrets = { mail: 'a secret of the mail app and of this service' }

await using graph = createGraph(createMemoryStore(), { now: () => clock.now, appSecrets })
await graph.write([
  { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Mary', email: 'mary@example.org' } } },
])
const reasonOf = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.catch(error => error)
  return isGraphError(error) ? error.reason : 'none'
}

// A field is left out if the token does not have the field's scope.
const plain = await graph.tokens.issue({ viewer: '1', app: 'mail', scopes: [] })
const trusted = await graph.tokens.issue({ viewer: '1', app: 'mail', scopes: ['email'], expiresInMs: HOUR })
const fields = 'name,email'
console.log(await graph.getMe(plain, { fields }), await graph.getMe(trusted, { fields }))
deepStrictEqual(await graph.getMe(plain, { fields }), { name: 'Mary', id: '1' })
deepStrictEqual(await graph.getMe(trusted, { fields }), { name: 'Mary', email: 'mary@example.org', id: '1' })

// A proof of possession shows that the sender of a token also knows the secret of the app.
const proof = createHmac('sha256', appSecrets.mail).update(trusted).digest('hex')
strictEqual((await graph.getMe(trusted, { proof })).name, 'Mary')
strictEqual(await reasonOf(graph.getMe(trusted, { proof: 'made up' })), 'proof_invalid')

// The next read rejects a token that has expired or was revoked.
clock.now += 2 * HOUR
await graph.tokens.revoke(plain)
const reasons = [await reasonOf(graph.getMe(trusted)), await reasonOf(graph.getMe(plain))]
console.log('after two hours:', reasons)
deepStrictEqual(reasons, ['token_expired', 'token_revoked'])

// `revokeAll` revokes all tokens of a person. Tokens that are issued later are valid.
const lost = await graph.tokens.issue({ viewer: '1', app: 'phone', scopes: [] })
await graph.tokens.revokeAll({ viewer: '1' })
const fresh = await graph.tokens.issue({ viewer: '1', app: 'phone', scopes: [] })
console.log(
  'after the loss of a phone:',
  await reasonOf(graph.getMe(lost)),
  await reasonOf(graph.getMe(fresh)),
)
strictEqual(await reasonOf(graph.getMe(lost)), 'token_revoked')
strictEqual(await reasonOf(graph.getMe(fresh)), 'none')

// Code in the same process that already knows the viewer uses a session instead of a token.
const session = graph.session({ viewer: '1', app: 'admin', scopes: ['email'] })
console.log('session:', await graph.getMe(session, { fields: 'email' }))
strictEqual((await graph.getMe(session, { fields: 'email' })).email, 'mary@example.org')
