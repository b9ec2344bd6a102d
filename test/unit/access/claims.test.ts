import {
  type Auth,
  createGraph,
  createStaticAuth,
  defineSchema,
  field,
  type GraphEvent,
  node,
} from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createJwtAuth, type JwtAuthOptions } from 'kithgraph/jwt'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { createTenantStore } from '../../helpers/tenant-store.ts'
import { catchReason } from '../spec/clocked-world.ts'
import { AUDIENCE, ISSUER, now, SECRET, signShared } from './jwt-issuer.ts'

const schema = defineSchema({
  user: node({ fields: { name: field.string({ default: true }) } }),
})

/** Opens a graph of one person in two organizations. `claimsOf` returns the claims that a call has. */
const openGraph = (auth: Auth | readonly Auth[] = [], onEvent?: (event: GraphEvent) => void) => {
  const store = createTenantStore()
  for (const organization of ['north', 'south'])
    store
      .tenant(organization)
      .write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: `Ada of ${organization}` } } }])
  const graph = createGraph(store, { schema, auth, onEvent })
  const claimsOf = async (token: Parameters<typeof graph.getMe>[0]): Promise<unknown> => {
    await graph.getMe(token)
    return store.reads.at(-1)?.session?.claims
  }
  return { store, graph, claimsOf }
}

const CLAIMS = { org_id: 'north', roles: ['author'] }

describe('the claims of a session', () => {
  it('are those of the options of graph.session and of a static token', async () => {
    const { graph, claimsOf } = openGraph(
      createStaticAuth({ t: { viewer: '1', app: 'demo', claims: CLAIMS } }),
    )
    expect(await claimsOf(graph.session({ viewer: '1', app: 'demo', claims: CLAIMS }))).toEqual(CLAIMS)
    expect(await claimsOf('t')).toEqual(CLAIMS)
    expect(graph.session({ app: 'demo', claims: {} }).claims).toEqual({})
    expect(Object.keys(graph.session({ app: 'demo' }))).not.toContain('claims')
  })

  it('are copied when the session or token is declared, and frozen', async () => {
    const claims = { org_id: 'north', roles: ['author'] }
    const declared = { viewer: '1', app: 'demo', claims }
    const { graph, claimsOf } = openGraph(createStaticAuth({ t: declared }))
    const session = graph.session(declared)
    claims.org_id = 'south'
    claims.roles.push('admin')
    expect(await claimsOf(session)).toEqual(CLAIMS)
    expect(await claimsOf('t')).toEqual(CLAIMS)
    expect(() => Object.assign(session.claims ?? {}, { org_id: 'south' })).toThrow(TypeError)
  })

  it('of an issued token are kept in the store, also if the token is revoked later', async () => {
    const { graph, claimsOf } = openGraph()
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo', claims: CLAIMS })
    expect(await claimsOf(token)).toEqual(CLAIMS)
    expect(await graph.tokens.inspect(token)).toMatchObject({ valid: true, claims: CLAIMS })
    await graph.tokens.revoke(token)
    expect(await graph.tokens.inspect(token)).toMatchObject({ failure: 'revoked', claims: CLAIMS })
    expect((await graph.tokens.inspect('unknown')).claims).toBeUndefined()
    const plain = createGraph(createMemoryStore())
    expect((await plain.tokens.inspect(await plain.tokens.issue({ app: 'demo' }))).claims).toBeUndefined()
  })

  it('make the call fail if the record of the token has claims that no session can have', async () => {
    const { store, graph } = openGraph()
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo', claims: CLAIMS })
    await graph.getMe(token)
    const request = store.reads.at(-2)?.request ?? expect.fail()
    const [digest = ''] = request.tokens
    const [record = expect.fail()] = store.tokens.read(request).tokens
    const claims = JSON.parse('["north"]')
    store.tokens.write([{ op: 'putToken', digest, token: { ...record, claims } }])
    const first = store.reads.length
    expect(await catchReason(graph.getMe(token))).toBe('store_error')
    expect(store.reads.slice(first)).toHaveLength(1)
  })

  it('of an auth of your own are validated with its session', async () => {
    const results: unknown[] = []
    const auth: Auth = {
      authenticate: token =>
        token === 'own'
          ? {
              session: {
                viewer: '1',
                app: 'demo',
                scopes: [],
                issuedAt: 0,
                expiresAt: undefined,
                claims: Object(results[0]),
              },
            }
          : undefined,
    }
    const { graph, claimsOf } = openGraph(auth)
    results[0] = CLAIMS
    expect(await claimsOf('own')).toEqual(CLAIMS)
    results[0] = { org_id: { of: [() => 'north'] } }
    await expect(graph.getMe('own')).rejects.toMatchObject({
      reason: 'internal_error',
      cause: new TypeError(
        'auth[0].authenticate: "session.claims.org_id.of[0]" must be a JSON value; received a function',
      ),
    })
  })

  it.each([
    [
      'session',
      (claims: object) => createGraph(createMemoryStore()).session({ app: 'a', claims: Object(claims) }),
      'session: "claims',
    ],
    [
      'tokens.issue',
      (claims: object) => createGraph(createMemoryStore()).tokens.issue({ app: 'a', claims: Object(claims) }),
      'tokens.issue: "claims',
    ],
    [
      'createStaticAuth',
      (claims: object) => createStaticAuth({ t: { app: 'a', claims: Object(claims) } }),
      'createStaticAuth: "tokens[0].claims',
    ],
  ])('that are not JSON are a usage error of %s', async (_, create, message) => {
    await expect((async () => create({ org: new Date() }))()).rejects.toThrow(
      new TypeError(`${message}.org" must be a JSON value; received an object of a class`),
    )
  })
})

describe('the claims of a JWT', () => {
  const options = { secret: SECRET, issuer: ISSUER, audience: AUDIENCE, now }
  const claimsOf = async (payload: object, changes: Partial<JwtAuthOptions>): Promise<unknown> => {
    const result = await createJwtAuth({ ...options, ...changes }).authenticate(
      await signShared({ ...payload }),
      undefined,
      undefined,
    )
    return result && ('session' in result ? (result.session.claims ?? 'none') : result)
  }

  it('are those that the option names, without those that the token does not have', async () => {
    const payload = { org_id: 'north', roles: ['author', { of: null }], secret: 'x' }
    expect(await claimsOf(payload, {})).toBe('none')
    expect(await claimsOf(payload, { claims: [] })).toBe('none')
    expect(await claimsOf(payload, { claims: ['org_id', 'roles', 'team'] })).toEqual({
      org_id: 'north',
      roles: ['author', { of: null }],
    })
    expect(await claimsOf({}, { claims: ['org_id', 'toString', '__proto__'] })).toEqual({})
  })

  it('are those of the grant too, which replace those of the token', async () => {
    const grant = () => ({ viewer: '1', app: 'demo', claims: { org_id: 'south', plan: 'free' } })
    expect(await claimsOf({ org_id: 'north', team: 7 }, { claims: ['org_id', 'team'], grant })).toEqual({
      org_id: 'south',
      team: 7,
      plan: 'free',
    })
    expect(await claimsOf({ org_id: 'north' }, { grant })).toEqual({ org_id: 'south', plan: 'free' })
  })

  it('make the token invalid if a session cannot have them', async () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)])
    expect(await claimsOf({ org_id: nest(9) }, { claims: ['org_id'] })).toEqual({ org_id: nest(9) })
    expect(await claimsOf({ org_id: nest(10) }, { claims: ['org_id'] })).toHaveProperty('failure', 'invalid')
    expect(await claimsOf({ org_id: nest(10) }, {})).toBe('none')
    expect(await claimsOf({ org_id: '\ud800' }, { claims: ['org_id'] })).toHaveProperty('failure', 'invalid')
  })

  it('of a grant that are not JSON are an internal error', async () => {
    for (const claims of ['north', { org_id: undefined }]) {
      const auth = createJwtAuth({
        ...options,
        grant: () => ({ viewer: '1', app: 'demo', claims: Object(claims) }),
      })
      const { graph } = openGraph(auth)
      expect(await catchReason(graph.getMe(await signShared()))).toBe('internal_error')
    }
  })

  it('choose the data of a store that reads by session', async () => {
    const { graph } = openGraph(createJwtAuth({ ...options, claims: ['org_id'] }))
    for (const organization of ['north', 'south'])
      expect(await graph.getMe(await signShared({ org_id: organization }))).toMatchObject({
        name: `Ada of ${organization}`,
      })
    expect(await catchReason(graph.getMe(await signShared()))).toBe('store_error')
  })
})

describe('claims', () => {
  it('never appear in events, in errors, or in responses about a token', async () => {
    const events: GraphEvent[] = []
    const secretClaims = { org_id: 'north', note: 'a personal note' }
    const { graph } = openGraph([], event => events.push(event))
    const session = graph.session({ viewer: '1', app: 'demo', claims: secretClaims })
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo', claims: secretClaims })
    const texts: string[] = []
    for (const credentials of [session, token]) {
      await graph.getMe(credentials)
      const error = await graph.getNode(credentials, { id: '9' }).catch(cause => cause)
      texts.push(JSON.stringify(error), error.message)
    }
    const handler = createHandler(graph)
    for (const path of [
      `debug_token?input_token=${token}`,
      'me/permissions',
      'me?fields=id&metadata=1',
      'me?debug=all',
    ])
      texts.push(
        await (
          await handler(
            new Request(`http://localhost/${path}${path.includes('?') ? '&' : '?'}access_token=${token}`),
          )
        ).text(),
      )
    texts.push(JSON.stringify(events))
    expect(events.length).toBeGreaterThan(4)
    expect(texts.some(text => text.includes('is_valid'))).toBe(true)
    expect(texts.filter(text => /personal|org_id|claims/.test(text))).toEqual([])
  })
})
