/** JSON Web Tokens of another issuer: its public keys, valid and invalid tokens, and an outage. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, type JWK, SignJWT } from 'jose'
import { createGraph, isGraphError } from 'kithgraph'
import { createJwtAuth } from 'kithgraph/jwt'
import { createMemoryStore } from 'kithgraph/memory'

// The issuer signs with private keys, and publishes the public keys, each before its first use.
const keys: JWK[] = []
const newKey = async (kid: string): Promise<KeyObject> => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  keys.push({ ...(await exportJWK(publicKey)), kid })
  return privateKey
}
const spring = await newKey('spring')
const summer = await newKey('summer')
const site = createServer((_, response) => response.end(JSON.stringify({ keys })))
await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
const address = site.address()
const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

const sign = (key: KeyObject, kid: string, { scope = '', audience = 'graph', expires = '1h' } = {}) =>
  new SignJWT({ sub: '1', azp: 'mail', scope })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(key)

// The service configures the URL of the keys, and the issuer and audience that it accepts.
const open = async () => {
  const auth = createJwtAuth({ jwks: `${issuer}/keys`, issuer, audience: 'graph' })
  const graph = createGraph(createMemoryStore(), { auth })
  const fields = { name: 'Mary', email: 'mary@example.org' }
  await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields } }])
  return graph
}
await using graph = await open()
const reasonOf = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.catch(error => error)
  return isGraphError(error) ? error.reason : 'none'
}

// The claims of a token contain the viewer, the app and the scopes.
const trusted = await sign(spring, 'spring', { scope: 'email' })
const me = await graph.getMe(trusted, { fields: 'name,email' })
console.log('with the scope:', me)
deepStrictEqual(me, { name: 'Mary', email: 'mary@example.org', id: '1' })

// A token that is signed with the next key is also valid.
const next = await graph.getMe(await sign(summer, 'summer'), { fields: 'name,email' })
console.log('with the next key, without the scope:', next)
deepStrictEqual(next, { name: 'Mary', id: '1' })

// A token for another audience, an expired token and a forged token are rejected.
const foreign = await sign(spring, 'spring', { audience: 'another service' })
const expired = await sign(spring, 'spring', { expires: '-1 minute' })
const forged = await sign(generateKeyPairSync('ed25519').privateKey, 'spring')
const reasons = await Promise.all([foreign, expired, forged].map(token => reasonOf(graph.getMe(token))))
console.log('foreign, expired, forged:', reasons)
deepStrictEqual(reasons, ['token_invalid', 'token_expired', 'token_invalid'])

// While the issuer is down, a new graph cannot fetch the keys. The graph's own tokens still work.
// The error is transient, because the token may be valid.
await new Promise(resolve => site.close(resolve))
await using later = await open()
const outage = await reasonOf(later.getMe(trusted))
console.log('while the keys cannot be fetched:', outage)
strictEqual(outage, 'store_error')
const own = await later.tokens.issue({ viewer: '1', app: 'mail' })
strictEqual(await reasonOf(later.getMe(own)), 'none')
