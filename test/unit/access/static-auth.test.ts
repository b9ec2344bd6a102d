import { createGraph, createStaticAuth } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { ADA, createWorldStore } from '../../helpers/world.ts'
import { catchReason } from '../spec/clocked-world.ts'

const create = (tokens: unknown) => (): unknown => Reflect.apply(createStaticAuth, undefined, [tokens])

const verifyToken = (tokens: Parameters<typeof createStaticAuth>[0], token: string) =>
  createStaticAuth(tokens).authenticate(token, undefined, undefined)

describe('a static token', () => {
  it('has the session that is declared for it', () => {
    const declared = { t: { viewer: '1', app: 'demo', scopes: ['email'] }, u: { app: 'tools' } }
    const times = { issuedAt: 0, expiresAt: undefined }
    expect(verifyToken(declared, 't')).toEqual({
      session: { viewer: '1', app: 'demo', scopes: ['email'], ...times },
    })
    expect(verifyToken(declared, 'u')).toEqual({
      session: { viewer: undefined, app: 'tools', scopes: [], ...times },
    })
  })

  it.each(['', 'T', 't ', ' t', 'tt', 'constructor', '__proto__'])(
    'does not authenticate a caller who sends another text: %o',
    token => {
      expect(verifyToken({ t: { app: 'demo' } }, token)).toBeUndefined()
    },
  )

  it('may be any text', () => {
    const token = '__proto__'
    expect(verifyToken(Object.fromEntries([[token, { app: 'demo' }]]), token)).toHaveProperty(
      'session.app',
      'demo',
    )
    expect(verifyToken({ '😀|': { app: 'demo' } }, '😀|')).toHaveProperty('session.app', 'demo')
  })

  it('keeps its session if the caller changes the declaration afterwards', () => {
    const scopes: string[] = []
    const declared: { [token: string]: { app: string; scopes: string[] } } = { t: { app: 'demo', scopes } }
    const auth = createStaticAuth(declared)
    scopes.push('email')
    declared.u = { app: 'demo', scopes }
    expect(auth.authenticate('t', undefined, undefined)).toHaveProperty('session.scopes', [])
    expect(auth.authenticate('u', undefined, undefined)).toBeUndefined()
  })

  it('does not affect the tokens that the graph issues', async () => {
    const auth = createStaticAuth({ t: { viewer: ADA, app: 'demo' } })
    const { getMe, tokens } = createGraph(await createWorldStore(), { auth })
    expect(await getMe('t')).toMatchObject({ id: ADA })
    expect(await getMe(await tokens.issue({ viewer: ADA, app: 'demo' }))).toMatchObject({ id: ADA })
    expect(await catchReason(getMe('u'))).toBe('token_invalid')
  })
})

describe('an invalid declaration of static tokens', () => {
  it.each([
    [undefined, '"tokens" must be an object of grants by token; received undefined'],
    [null, '"tokens" must be an object of grants by token; received null'],
    [[], '"tokens" must be an object of grants by token; received an array of length 0'],
    ['t', '"tokens" must be an object of grants by token; received a string'],
  ])('is rejected with a usage error: %o', (tokens, message) => {
    expect(create(tokens)).toThrow(new TypeError(`createStaticAuth: ${message}`))
  })

  it.each([
    ['t', null, '"tokens[1]" must be an object; received null'],
    ['t', '4', '"tokens[1]" must be an object; received "4"'],
    [
      't',
      {},
      '"tokens[1].app" must be the name of an app: a well-formed string that is not empty; received undefined',
    ],
    ['t', { app: 'a', viewer: 4 }, '"tokens[1].viewer" must be the id of a node or undefined; received 4'],
    [
      't',
      { app: 'a', scopes: 'email' },
      '"tokens[1].scopes" must be an array of well-formed strings; received "email"',
    ],
    [
      't',
      { app: 'a', scope: [] },
      'options of "tokens[1]" must be one of "viewer", "app", "scopes", "claims"; received "scope"; did you mean scopes?',
    ],
    ['', { app: 'a' }, 'a token must be a string that is not empty; received ""'],
  ])('is rejected with a usage error that hides the token: %o %j', (token, declared, message) => {
    expect(create({ 'a good one': { app: 'a' }, [token]: declared })).toThrow(
      new TypeError(`createStaticAuth: ${message}`),
    )
  })
})
