import { describe, expect, it } from 'vitest'
import { ADA, createWorld, GRACE } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from './expect-graph-error.ts'

const { graph, ada } = await createWorld()
const { getEdge, getEdges, getMe, getNode, getNodes, hasEdge, iterateEdge, session, tokens } = graph

const CALL = '"fields", "metadata", "version", "signal", "minRevision", "debug", "partial", "proof"'
const EDGE = '"type", "edge", "parameters", "limit", "after", "before", "since", "until", "order", "summary"'

/** Requests the first entry, since an iteration only begins with its first step. */
const iterate = async (...args: unknown[]): Promise<unknown> =>
  Reflect.apply(iterateEdge, undefined, args).next()

const expectUsageError = async (call: (...args: never[]) => unknown, ...args: unknown[]): Promise<string> => {
  const error: unknown = await callUntyped(call, ...args).then(
    result => new Error(`no error, but ${JSON.stringify(result)}`),
    (error: unknown) => error,
  )
  if (!(error instanceof TypeError)) throw error
  return error.message
}

describe('a call with invalid arguments', () => {
  it.each([
    [
      'feilds',
      'name',
      `getNode: options must be one of "id", "type", ${CALL}; received "feilds"; did you mean fields?`,
    ],
    ['edge', 'photos', `getNode: options must be one of "id", "type", ${CALL}; received "edge"`],
    ['fields', 1, 'getNode: "fields" must be a string or an array of strings; received 1'],
    ['fields', null, 'getNode: "fields" must be a string or an array of strings; received null'],
    [
      'fields',
      { name: true },
      'getNode: "fields" must be a string or an array of strings; received an object with name',
    ],
    [
      'fields',
      ['name', 1],
      'getNode: "fields" must be a string or an array of strings; received an array of length 2',
    ],
    [
      'fields',
      Symbol('name'),
      'getNode: "fields" must be a string or an array of strings; received a symbol',
    ],
    ['metadata', 1, 'getNode: "metadata" must be a boolean; received 1'],
    ['partial', 'yes', 'getNode: "partial" must be a boolean; received "yes"'],
    ['version', 1, 'getNode: "version" must be a string; received 1'],
    ['proof', 1, 'getNode: "proof" must be a string; received 1'],
    ['debug', true, 'getNode: "debug" must be "all"; received true'],
    ['debug', 'info', `getNode: "debug" must be "all"; received "info"`],
    [
      'signal',
      { aborted: true },
      'getNode: "signal" must be an AbortSignal; received an object with aborted',
    ],
    [
      'type',
      'shop',
      'getNode: "type" must be one of "user", "page", "group", "post", "photo", "comment", "album"; received "shop"',
    ],
    [
      'type',
      'photos',
      'getNode: "type" must be one of "user", "page", "group", "post", "photo", "comment", "album"; received "photos"; did you mean photo?',
    ],
    [
      'type',
      'constructor',
      'getNode: "type" must be one of "user", "page", "group", "post", "photo", "comment", "album"; received "constructor"',
    ],
    [
      'type',
      1,
      'getNode: "type" must be one of "user", "page", "group", "post", "photo", "comment", "album"; received 1',
    ],
    [
      '__proto__',
      { fields: 'email' },
      `getNode: options must be one of "id", "type", ${CALL}; received "__proto__"`,
    ],
  ])('throws a usage error: getNode with %s %o', async (name, value, message) => {
    const call = Object.fromEntries([
      ['id', ADA],
      [name, value],
    ])
    expect(await expectUsageError(getNode, ada, call)).toBe(message)
  })

  it.each([
    ['getMe', getMe, null, 'getMe: "options" must be an object; received null'],
    ['getMe', getMe, { id: ADA }, `getMe: options must be one of ${CALL}; received "id"`],
    ['getNode', getNode, [], 'getNode: "options" must be an object; received an array of length 0'],
    ['getNodes', getNodes, undefined, 'getNodes: "options" must be an object; received undefined'],
    ['getNodes', getNodes, {}, 'getNodes: "ids" must be an array; received undefined'],
    ['getNodes', getNodes, { ids: ADA }, 'getNodes: "ids" must be an array; received "1"'],
    [
      'getNodes',
      getNodes,
      { ids: [], type: 'user' },
      `getNodes: options must be one of "ids", ${CALL}; received "type"`,
    ],
    ['getEdge', getEdge, undefined, 'getEdge: "options" must be an object; received undefined'],
    ['getEdge', getEdge, { id: ADA }, 'getEdge: "edge" must be a string; received undefined'],
    ['getEdge', getEdge, { id: ADA, edge: 1 }, 'getEdge: "edge" must be a string; received 1'],
    [
      'getEdge',
      getEdge,
      { id: ADA, edge: 'photos', parameters: ['uploaded'] },
      'getEdge: "parameters" must be a plain object; received an array of length 1',
    ],
    [
      'getEdges',
      getEdges,
      { ids: [ADA], edge: 'photos', parameters: 'uploaded' },
      'getEdges: "parameters" must be a plain object; received "uploaded"',
    ],
    [
      'hasEdge',
      hasEdge,
      { id: ADA, edge: 'photos', target: ADA, parameters: null },
      'hasEdge: "parameters" must be a plain object; received null',
    ],
    [
      'getEdge',
      getEdge,
      { id: ADA, edge: 'likes', offset: 1 },
      `getEdge: options must be one of "id", ${EDGE}, ${CALL}; received "offset"`,
    ],
    [
      'getEdges',
      getEdges,
      { ids: {}, edge: 'likes' },
      'getEdges: "ids" must be an array; received an empty object',
    ],
    ['getEdges', getEdges, { ids: [] }, 'getEdges: "edge" must be a string; received undefined'],
    ['hasEdge', hasEdge, undefined, 'hasEdge: "options" must be an object; received undefined'],
    ['hasEdge', hasEdge, { id: ADA }, 'hasEdge: "edge" must be a string; received undefined'],
    [
      'hasEdge',
      hasEdge,
      { id: ADA, edge: 'likes', fields: '' },
      'hasEdge: options must be one of "id", "type", "edge", "target", "parameters", "signal", "minRevision", "proof"; received "fields"',
    ],
  ])('throws a usage error: %s with $2', async (_, call, options, message) => {
    expect(await expectUsageError(call, ada, options)).toBe(message)
  })

  it('throws a usage error when the first entry of iterateEdge is requested', async () => {
    expect(await expectUsageError(iterate, ada, { id: ADA, edge: 'photos', before: 'x' })).toMatch(
      /^iterateEdge: options must be one of "id", "type", "edge", "parameters", "limit", "after", .*; received "before"/,
    )
  })

  it.each([
    [1],
    [true],
    [{}],
    [[]],
    [{ viewer: ADA, app: 'demo', scopes: [] }],
    [() => 'token'],
    [Symbol('token')],
  ])('throws a usage error for the token %o', async token => {
    expect(await expectUsageError(getNode, token, { id: ADA })).toMatch(
      /^getNode: "token" must be a string or a session of this graph; received /,
    )
  })

  // Without a check, the runtime would throw an error about a property of undefined.
  it('throws a usage error if the options are missing', async () => {
    expect(await expectUsageError(getNode, ada)).toMatch(/^getNode: "options" must be/)
  })

  // hasEdge validates these options as all other reads do.
  it.each([{ signal: 1 }, { proof: 1 }])('throws a usage error: hasEdge with %o', async option => {
    expect(
      await expectUsageError(hasEdge, ada, { id: ADA, edge: 'friends', target: GRACE, ...option }),
    ).toMatch(/must be/)
  })

  // The message must not name getEdge, which the caller did not call.
  it('names iterateEdge, not getEdge, in the usage error of iterateEdge', async () => {
    expect(await expectUsageError(iterate, ada, { id: ADA })).toMatch(/^iterateEdge: "edge" must be a string/)
  })
})

describe('an invalid grant', () => {
  it.each([
    [
      undefined,
      '"app" must be the name of an app: a well-formed string that is not empty; received undefined',
    ],
    [{}, '"app" must be the name of an app: a well-formed string that is not empty; received undefined'],
    [{ app: '' }, '"app" must be the name of an app: a well-formed string that is not empty; received ""'],
    [{ app: 1 }, '"app" must be the name of an app: a well-formed string that is not empty; received 1'],
    [
      { app: '\ud83d' },
      '"app" must be the name of an app: a well-formed string that is not empty; received "�"',
    ],
    [{ app: 'a', viewer: 1 }, '"viewer" must be the id of a node or undefined; received 1'],
    [{ app: 'a', viewer: 'me' }, '"viewer" must be the id of a node or undefined; received "me"'],
    [{ app: 'a', viewer: null }, '"viewer" must be the id of a node or undefined; received null'],
    [{ app: 'a', scopes: 'email' }, '"scopes" must be an array of well-formed strings; received "email"'],
    [
      { app: 'a', scopes: [1] },
      '"scopes" must be an array of well-formed strings; received an array of length 1',
    ],
    [
      { app: 'a', scopes: ['\ud83d'] },
      '"scopes" must be an array of well-formed strings; received an array of length 1',
    ],
  ])('is rejected with a usage error: %o', async (grant, message) => {
    expect(await expectUsageError(session, grant)).toBe(`session: ${message}`)
    expect(await expectUsageError(tokens.issue, grant)).toBe(`tokens.issue: ${message}`)
  })

  it.each([0, -1, 1.5, '60', null, Number.POSITIVE_INFINITY])(
    'is rejected with a usage error: expiresInMs %o',
    async expiresInMs => {
      expect(await expectUsageError(tokens.issue, { viewer: ADA, app: 'a', expiresInMs })).toMatch(
        /^tokens.issue: "expiresInMs" must be an integer of at least 1; received /,
      )
    },
  )

  it.each([
    ['email', 'an array of well-formed strings; received "email"'],
    [[1], 'an array of well-formed strings; received an array of length 1'],
    [['user_photos', 'email'], 'scopes that are not in "scopes"; received "email"'],
  ])('is rejected with a usage error: declined %o', async (declined, expected) => {
    const grant = { viewer: ADA, app: 'a', scopes: ['email'], declined }
    expect(await expectUsageError(tokens.issue, grant)).toBe(`tokens.issue: "declined" must be ${expected}`)
  })

  it('is rejected with a usage error if it has an unknown option', async () => {
    expect(await expectUsageError(session, { app: 'a', scope: [] })).toBe(
      'session: options must be one of "viewer", "app", "scopes", "claims", "bypassPolicies"; received "scope"; did you mean scopes?',
    )
    expect(await expectUsageError(tokens.issue, { app: 'a', expires: 1 })).toBe(
      'tokens.issue: options must be one of "viewer", "app", "scopes", "declined", "claims", "expiresInMs"; received "expires"',
    )
  })
})

describe('revokeAll with invalid options', () => {
  it('throws a usage error', async () => {
    expect(await expectUsageError(tokens.revokeAll, { viewer: 'Ada' })).toBe(
      'tokens.revokeAll: "viewer" must be the id of a node; received "Ada"',
    )
    expect(await expectUsageError(tokens.revokeAll, { viewer: ADA, app: 'a' })).toBe(
      'tokens.revokeAll: options must be one of "viewer"; received "app"',
    )
  })
})

describe('a token to revoke or inspect', () => {
  it.each([undefined, null, '', 1, {}])('is rejected as missing if it is %o', async token => {
    expect((await expectGraphError(callUntyped(tokens.revoke, token))).reason).toBe('token_missing')
    expect((await expectGraphError(callUntyped(tokens.inspect, token))).reason).toBe('token_missing')
  })
})

describe('a closed graph', () => {
  it('rejects reads, writes and token calls with a usage error', async () => {
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
