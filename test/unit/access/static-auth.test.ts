import { createGraph, createStaticAuth } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { ADA, worldStore } from '../../helpers/world.ts'
import { reasonOf } from '../spec/clocked-world.ts'

const create = (tokens: unknown) => (): unknown => Reflect.apply(createStaticAuth, undefined, [tokens])

const ask = (tokens: Parameters<typeof createStaticAuth>[0], token: string) =>
  createStaticAuth(tokens).authenticate(token, undefined, undefined)

describe('a static token', () => {
  it('stands for whom it was declared', () => {
    const declared = { t: { viewer: '1', app: 'demo', scopes: ['email'] }, u: { app: 'tools' } }
    const times = { issuedAt: 0, expiresAt: undefined }
    expect(ask(declared, 't')).toEqual({ session: { viewer: '1', app: 'demo', scopes: ['email'], ...times } })
    expect(ask(declared, 'u')).toEqual({ session: { viewer: undefined, app: 'tools', scopes: [], ...times } })
  })

  it.each(['', 'T', 't ', ' t', 'tt', 'constructor', '__proto__'])('is no other text: %o', token => {
    expect(ask({ t: { app: 'demo' } }, token)).toBeUndefined()
  })

  it('may be any text', () => {
    const token = '__proto__'
    expect(ask(Object.fromEntries([[token, { app: 'demo' }]]), token)).toHaveProperty('session.app', 'demo')
    expect(ask({ '😀|': { app: 'demo' } }, '😀|')).toHaveProperty('session.app', 'demo')
  })

  it('does not change with its declaration', () => {
    const scopes: string[] = []
    const declared: { [token: string]: { app: string; scopes: string[] } } = { t: { app: 'demo', scopes } }
    const auth = createStaticAuth(declared)
    scopes.push('email')
    declared.u = { app: 'demo', scopes }
    expect(auth.authenticate('t', undefined, undefined)).toHaveProperty('session.scopes', [])
    expect(auth.authenticate('u', undefined, undefined)).toBeUndefined()
  })

  it('leaves the tokens of the graph to the graph', async () => {
    const auth = createStaticAuth({ t: { viewer: ADA, app: 'demo' } })
    const { getMe, tokens } = createGraph(await worldStore(), { auth })
    expect(await getMe('t')).toMatchObject({ id: ADA })
    expect(await getMe(await tokens.issue({ viewer: ADA, app: 'demo' }))).toMatchObject({ id: ADA })
    expect(await reasonOf(getMe('u'))).toBe('token_unknown')
  })
})

describe('a declaration that is none', () => {
  it.each([
    [undefined, 'expected an object of grants by token, came undefined'],
    [null, 'expected an object of grants by token, came null'],
    [[], 'expected an object of grants by token, came a list of 0'],
    ['t', 'expected an object of grants by token, came "t"'],
  ])('is misuse: %o', (tokens, message) => {
    expect(create(tokens)).toThrow(new TypeError(`createStaticAuth: ${message}`))
  })

  it.each([
    ['t', null, 'expected options as an object, came null'],
    ['t', '4', 'expected options as an object, came "4"'],
    ['t', {}, 'app must be the name of an app, came undefined'],
    ['t', { app: 'a', viewer: 4 }, 'viewer must be the id of a node or left out, came 4'],
    ['t', { app: 'a', scopes: 'email' }, 'scopes must be a list of words, came "email"'],
    ['t', { app: 'a', scope: [] }, 'unknown option "scope"; expected one of viewer, app, scopes'],
    ['', { app: 'a' }, 'expected text that is not empty, came ""'],
  ])('is misuse, and told without the token: %o %j', (token, declared, message) => {
    expect(create({ 'a good one': { app: 'a' }, [token]: declared })).toThrow(
      new TypeError(`createStaticAuth: token 2: ${message}`),
    )
  })
})
