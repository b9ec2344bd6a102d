import { describe, expect, it } from 'vitest'
import { ADA, createWorld, GRACE } from '../../helpers/world.ts'
import { faultOf, loosely } from './fault-of.ts'

const { graph, ada } = await createWorld()
const { getEdge, getEdges, getMe, getNode, getNodes, hasEdge, iterateEdge, session, tokens } = graph

const CALL = 'fields, metadata, version, signal, atLeast, debug, partial, proof'
const EDGE = 'type, edge, limit, after, before, since, until, order, summary'

/** Asks for the first entry: a walk begins with its first step. */
const iterate = async (...args: unknown[]): Promise<unknown> =>
  Reflect.apply(iterateEdge, undefined, args).next()

const misuse = async (call: (...args: never[]) => unknown, ...args: unknown[]): Promise<string> => {
  const error: unknown = await loosely(call, ...args).then(
    answer => new Error(`no error, but ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(error instanceof TypeError)) throw error
  return error.message
}

describe('a call with a wrong option is misuse', () => {
  it.each([
    ['feilds', 'name', `getNode: unknown option "feilds"; expected one of id, type, ${CALL}`],
    ['edge', 'photos', `getNode: unknown option "edge"; expected one of id, type, ${CALL}`],
    ['fields', 1, 'getNode: fields must be an expression or a list of them, came 1'],
    ['fields', null, 'getNode: fields must be an expression or a list of them, came null'],
    [
      'fields',
      { name: true },
      'getNode: fields must be an expression or a list of them, came an object with name',
    ],
    ['fields', ['name', 1], 'getNode: fields must be an expression or a list of them, came a list of 2'],
    ['fields', Symbol('name'), 'getNode: fields must be an expression or a list of them, came a symbol'],
    ['metadata', 1, 'getNode: metadata must be a boolean, came 1'],
    ['partial', 'yes', 'getNode: partial must be a boolean, came "yes"'],
    ['version', 1, 'getNode: version must be text, came 1'],
    ['proof', 1, 'getNode: proof must be text, came 1'],
    ['debug', true, "getNode: debug must be 'all', came true"],
    ['debug', 'info', `getNode: debug must be 'all', came "info"`],
    ['signal', { aborted: true }, 'getNode: signal must be an AbortSignal, came an object with aborted'],
    ['type', 'shop', 'getNode: type must be one of user, page, group, post, photo, comment, came "shop"'],
    [
      'type',
      'constructor',
      'getNode: type must be one of user, page, group, post, photo, comment, came "constructor"',
    ],
    ['type', 1, 'getNode: type must be one of user, page, group, post, photo, comment, came 1'],
    [
      '__proto__',
      { fields: 'email' },
      `getNode: unknown option "__proto__"; expected one of id, type, ${CALL}`,
    ],
  ])('%s: %o', async (name, value, message) => {
    const call = Object.fromEntries([
      ['id', ADA],
      [name, value],
    ])
    expect(await misuse(getNode, ada, call)).toBe(message)
  })

  it.each([
    ['getMe', getMe, null, 'getMe: expected options as an object, came null'],
    ['getMe', getMe, { id: ADA }, `getMe: unknown option "id"; expected one of ${CALL}`],
    ['getNode', getNode, [], 'getNode: expected options as an object, came a list of 0'],
    ['getNodes', getNodes, undefined, 'getNodes: expected options as an object, came undefined'],
    ['getNodes', getNodes, {}, 'getNodes: ids must be a list, came undefined'],
    ['getNodes', getNodes, { ids: ADA }, 'getNodes: ids must be a list, came "1"'],
    [
      'getNodes',
      getNodes,
      { ids: [], type: 'user' },
      `getNodes: unknown option "type"; expected one of ids, ${CALL}`,
    ],
    ['getEdge', getEdge, undefined, 'getEdge: expected options as an object, came undefined'],
    ['getEdge', getEdge, { id: ADA }, 'getEdge: edge must be text, came undefined'],
    ['getEdge', getEdge, { id: ADA, edge: 1 }, 'getEdge: edge must be text, came 1'],
    [
      'getEdge',
      getEdge,
      { id: ADA, edge: 'likes', offset: 1 },
      `getEdge: unknown option "offset"; expected one of id, ${EDGE}, ${CALL}`,
    ],
    ['getEdges', getEdges, { ids: {}, edge: 'likes' }, 'getEdges: ids must be a list, came an empty object'],
    ['getEdges', getEdges, { ids: [] }, 'getEdges: edge must be text, came undefined'],
    ['hasEdge', hasEdge, undefined, 'hasEdge: expected options as an object, came undefined'],
    ['hasEdge', hasEdge, { id: ADA }, 'hasEdge: edge must be text, came undefined'],
    [
      'hasEdge',
      hasEdge,
      { id: ADA, edge: 'likes', fields: '' },
      'hasEdge: unknown option "fields"; expected one of id, type, edge, target, signal, atLeast, proof',
    ],
  ])('%s: %o', async (_, call, options, message) => {
    expect(await misuse(call, ada, options)).toBe(message)
  })

  it('in a walk, at its first step', async () => {
    expect(await misuse(iterate, ada, { id: ADA, edge: 'photos', before: 'x' })).toMatch(
      /^iterateEdge: unknown option "before"; expected one of id, type, edge, limit, after/,
    )
  })

  it.each([1, true, {}, [], { viewer: ADA, app: 'demo', scopes: [] }, () => 'token', Symbol('token')])(
    'as a token: %o',
    async token => {
      expect(await misuse(getNode, token, { id: ADA })).toMatch(
        /^getNode: expected a token, or a session made by graph.session, came /,
      )
    },
  )

  // The runtime tells of a property of undefined instead.
  it('says what was expected where options are missing', async () => {
    expect(await misuse(getNode, ada)).toMatch(/^getNode: expected/)
  })

  // Every other read refuses them.
  it.each([{ signal: 1 }, { proof: 1 }])('says what was expected of hasEdge with %o', async option => {
    expect(await misuse(hasEdge, ada, { id: ADA, edge: 'friends', target: GRACE, ...option })).toMatch(
      /must be/,
    )
  })

  // It speaks of getEdge, which the caller never called.
  it('says where it was made in a walk', async () => {
    expect(await misuse(iterate, ada, { id: ADA })).toMatch(/^iterateEdge: edge must be text/)
  })
})

describe('a grant that is none', () => {
  it.each([
    [undefined, 'app must be the name of an app, came undefined'],
    [{}, 'app must be the name of an app, came undefined'],
    [{ app: '' }, 'app must be the name of an app, came ""'],
    [{ app: 1 }, 'app must be the name of an app, came 1'],
    [{ app: '\ud83d' }, 'app must be the name of an app, came "�"'],
    [{ app: 'a', viewer: 1 }, 'viewer must be the id of a node or left out, came 1'],
    [{ app: 'a', viewer: 'me' }, 'viewer must be the id of a node or left out, came "me"'],
    [{ app: 'a', viewer: null }, 'viewer must be the id of a node or left out, came null'],
    [{ app: 'a', scopes: 'email' }, 'scopes must be a list of words, came "email"'],
    [{ app: 'a', scopes: [1] }, 'scopes must be a list of words, came a list of 1'],
    [{ app: 'a', scopes: ['\ud83d'] }, 'scopes must be a list of words, came a list of 1'],
  ])('is misuse: %o', async (grant, message) => {
    expect(await misuse(session, grant)).toBe(`session: ${message}`)
    expect(await misuse(tokens.issue, grant)).toBe(`tokens.issue: ${message}`)
  })

  it.each([0, -1, 1.5, '60', null, Number.POSITIVE_INFINITY])(
    'is misuse where it ends after %o',
    async expiresIn => {
      expect(await misuse(tokens.issue, { viewer: ADA, app: 'a', expiresIn })).toMatch(
        /^tokens.issue: expiresIn must be positive milliseconds, came /,
      )
    },
  )

  it('is misuse with an unknown option', async () => {
    expect(await misuse(session, { app: 'a', scope: [] })).toBe(
      'session: unknown option "scope"; expected one of viewer, app, scopes',
    )
    expect(await misuse(tokens.issue, { app: 'a', expires: 1 })).toBe(
      'tokens.issue: unknown option "expires"; expected one of viewer, app, scopes, expiresIn',
    )
    expect(await misuse(tokens.revokeAll, { viewer: 'Ada' })).toBe(
      'tokens.revokeAll: viewer must be the id of a node, came "Ada"',
    )
    expect(await misuse(tokens.revokeAll, { viewer: ADA, app: 'a' })).toBe(
      'tokens.revokeAll: unknown option "app"; expected one of viewer',
    )
  })

  it.each([undefined, null, '', 1, {}])('is a missing token to revoke or inspect: %o', async token => {
    expect((await faultOf(loosely(tokens.revoke, token))).data.reason).toBe('token_missing')
    expect((await faultOf(loosely(tokens.inspect, token))).data.reason).toBe('token_missing')
  })
})

describe('a graph that is closed', () => {
  it('refuses every call as misuse', async () => {
    const { graph, ada } = await createWorld()
    await graph.close()
    for (const promise of [
      graph.getMe(ada),
      graph.getEdge(ada, { id: ADA, edge: 'friends' }),
      graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] }),
      graph.tokens.revokeAll({ viewer: ADA }),
      graph.write([{ op: 'deleteNode', id: ADA }]),
    ]) {
      const error: unknown = await promise.catch((error: unknown) => error)
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain('closed')
    }
  })
})
