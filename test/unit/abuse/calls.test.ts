import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, GRACE, NEWEST_PHOTO } from '../../helpers/world.ts'
import { faultOf, loosely } from './fault-of.ts'

const { graph, ada } = await createWorld()
const { getEdge, getEdges, getMe, getNode, getNodes, hasEdge, iterateEdge, session, tokens } = graph

const MEGABYTE = 1_000_000
const CALL = 'fields, metadata, version, signal, debug, partial, proof'
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
      'hasEdge: unknown option "fields"; expected one of id, type, edge, target, signal, proof',
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

describe('an id that is none', () => {
  it.each([
    undefined,
    null,
    1,
    '',
    '0',
    '01',
    '-1',
    '1.0',
    ' 1',
    '1e3',
    'Ada',
    'ME',
    '9223372036854775808',
    '1'.repeat(MEGABYTE),
    '__proto__',
    '\ud83d',
    {},
  ])('is a bad parameter: %o', async id => {
    for (const promise of [
      loosely(getNode, ada, { id }),
      loosely(getNodes, ada, { ids: [ADA, id] }),
      loosely(getEdge, ada, { id, edge: 'friends' }),
      loosely(getEdges, ada, { ids: [id], edge: 'friends' }),
      loosely(hasEdge, ada, { id, edge: 'friends', target: ADA }),
    ]) {
      const fault = await faultOf(promise)
      expect(fault).toMatchObject({
        code: 100,
        status: 400,
        data: { reason: 'bad_parameter', parameter: 'id' },
      })
      expect(fault.message).toMatch(
        /^\(#100\) Invalid parameter id: expected a number of at most 19 digits as text, or me, came /,
      )
      expect(fault.message.length).toBeLessThan(200)
    }
  })

  it('is a bad parameter as a target too', async () => {
    const fault = await faultOf(loosely(hasEdge, ada, { id: ADA, edge: 'friends', target: 'Grace' }))
    expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'target' })
  })

  it('may be the largest of all, though nobody has it', async () => {
    const fault = await faultOf(getNode(ada, { id: '9223372036854775807' }))
    expect(fault).toMatchObject({
      code: 100,
      subcode: 33,
      type: 'GraphMethodException',
      message:
        'Unsupported get request: the node 9223372036854775807 does not exist, may not be seen, or is not of the type asked for',
    })
  })
})

describe('too many ids', () => {
  it('are more than 50', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `${index + 1}`)
    const fault = await faultOf(getNodes(ada, { ids }))
    expect(fault.message).toBe('(#100) Too many IDs. Maximum: 50. Provided: 51.')
    expect(fault.data).toEqual({ reason: 'too_many_ids', limit: 50, came: 51 })
    expect((await faultOf(getEdges(ada, { ids, edge: 'likes' }))).data.reason).toBe('too_many_ids')
  })

  it('are not the same id many times', async () => {
    expect(await getNodes(ada, { ids: Array<string>(1000).fill(ADA), fields: 'id' })).toEqual({
      [ADA]: { id: ADA },
    })
  })
})

describe('a limit that is none', () => {
  it.each([
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    'many',
    '0',
    '-1',
    '1.5',
    '1e2',
    true,
    null,
    [],
    {},
    '9'.repeat(MEGABYTE),
  ])('is a bad parameter: %o', async limit => {
    const fault = await faultOf(loosely(getEdge, ada, { id: ADA, edge: 'photos', limit }))
    expect(fault.data).toMatchObject({
      reason: 'bad_parameter',
      parameter: 'limit',
      expected: 'an integer from 1',
    })
  })

  it.each(['0', '-1', '1.5', '', 'all', '"2"', '1e2', '9'.repeat(100)])(
    'is a bad parameter inside an expression: %o',
    async limit => {
      const fault = await faultOf(loosely(getNode, ada, { id: ADA, fields: `photos.limit(${limit})` }))
      expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'limit' })
    },
  )
})

describe('a cursor that is none', () => {
  const good = async (): Promise<string> =>
    (await getEdge(ada, { id: ADA, edge: 'photos', limit: 1 })).paging?.cursors.after ?? ''

  it.each([1, '', ' ', 'x', 'MQ==', 'cGhvdG9z', '__proto__', '\ud83d', null, {}, 'A'.repeat(MEGABYTE)])(
    'is a bad parameter: %o',
    async cursor => {
      for (const name of ['after', 'before']) {
        const fault = await faultOf(loosely(getEdge, ada, { id: ADA, edge: 'photos', [name]: cursor }))
        expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: name })
        expect(fault.message.length).toBeLessThan(300)
      }
    },
  )

  it('is one that was changed in any letter, or the cursor of another place', async () => {
    const cursor = await good()
    for (let at = 0; at < cursor.length; at++) {
      const letter = cursor.charAt(at) === 'A' ? 'B' : 'A'
      const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1)
      await loosely(getEdge, ada, { id: ADA, edge: 'photos', after: changed }).catch(
        async (error: unknown) => {
          expect((await faultOf(Promise.reject(error))).data).toMatchObject({ reason: 'bad_parameter' })
        },
      )
    }
    for (const changed of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`]) {
      const fault = await faultOf(loosely(getEdge, ada, { id: ADA, edge: 'photos', after: changed }))
      expect(fault.data).toMatchObject({ parameter: 'after' })
    }
  })

  it.each([
    'photos:r:01:1',
    'photos:r:-0:1',
    'photos:r:1.5:1',
    'photos:r:1e3:1',
    'photos:r:9999999999999999:1',
    'photos:r:1:0',
    'photos:r:1:01',
    'photos:r:1:9223372036854775808',
    'photos:r:1:1:1',
    'photos:c:1:1',
    'posts:r:1:1',
  ])('is text that no page gave: %s', async text => {
    const fault = await faultOf(
      loosely(getEdge, ada, { id: ADA, edge: 'photos', after: Buffer.from(text).toString('base64url') }),
    )
    expect(fault.data).toMatchObject({ parameter: 'after' })
  })

  it('is one even inside an expression', async () => {
    const fault = await faultOf(loosely(getNode, ada, { id: ADA, fields: 'photos.before(x)' }))
    expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'before' })
  })
})

describe('a date that is none', () => {
  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e15,
    '',
    'now',
    'yesterday',
    '2014-02-30',
    new Date(Number.NaN),
    true,
    null,
    {},
    '1'.repeat(MEGABYTE),
  ])('is a bad parameter: %o', async date => {
    for (const name of ['since', 'until']) {
      const fault = await faultOf(loosely(getEdge, ada, { id: ADA, edge: 'photos', [name]: date }))
      expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: name })
    }
  })

  it('is one even inside an expression', async () => {
    const fault = await faultOf(loosely(getNode, ada, { id: ADA, fields: 'photos.since(soon)' }))
    expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'since' })
  })
})

describe('an order or a summary that is none', () => {
  it.each([
    ['order', 'newest'],
    ['order', 1],
    ['order', ''],
    ['order', 'constructor'],
    ['summary', 'total_count'],
    ['summary', 2],
    ['summary', null],
    ['summary', []],
  ])('is a bad parameter: %s %o', async (name, value) => {
    const fault = await faultOf(loosely(getEdge, ada, { id: ADA, edge: 'photos', [name]: value }))
    expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: name })
  })

  it.each([
    'order(newest)',
    'order()',
    'summary(yes)',
    'summary()',
    'filter(stream)',
    'offset(1)',
    '__proto__(1)',
    'limits(1)',
  ])('is a bad parameter inside an expression: %s', async modifier => {
    const fault = await faultOf(loosely(getNode, ada, { id: ADA, fields: `photos.${modifier}` }))
    expect(fault.data).toMatchObject({
      reason: 'bad_parameter',
      parameter: modifier.slice(0, modifier.indexOf('(')),
    })
  })
})

describe('a name that no type has', () => {
  it.each(['nmae', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Name', '_'])(
    'is an unknown field: %s',
    async name => {
      const fault = await faultOf(loosely(getNode, ada, { id: ADA, fields: name }))
      expect(fault).toMatchObject({ code: 100, status: 400, type: 'OAuthException' })
      expect(fault.data).toMatchObject({ reason: 'unknown_field', name, type: 'user' })
    },
  )

  it.each(['nmae', '__proto__', 'constructor', 'name', '', ' ', '\u0000', '../me'])(
    'is an unknown edge: %o',
    async edge => {
      for (const call of [getEdge, hasEdge]) {
        const fault = await faultOf(
          loosely(call, ada, { id: ADA, edge, ...(call === hasEdge && { target: GRACE }) }),
        )
        expect(fault.data).toMatchObject({ reason: 'unknown_field', name: edge, type: 'user' })
      }
    },
  )

  it('is told what may have been meant', async () => {
    const fault = await faultOf(loosely(getNode, ada, { id: ADA, fields: 'nmae' }))
    expect(fault.message).toBe('(#100) There is no field or edge nmae on node type user; did you mean name?')
    expect(fault.data).toEqual({ reason: 'unknown_field', name: 'nmae', type: 'user', suggestions: ['name'] })
  })

  it('is none that only another level has', async () => {
    expect((await faultOf(loosely(getNode, ada, { id: NEWEST_PHOTO, fields: 'message' }))).data.reason).toBe(
      'unknown_field',
    )
    expect((await faultOf(loosely(getNode, ada, { id: ADA, fields: 'photos{email}' }))).data.reason).toBe(
      'unknown_field',
    )
  })

  // The whole name is in the message, and on its way to the client.
  it('is told in a few words however long it is', async () => {
    const fault = await faultOf(loosely(getEdge, ada, { id: ADA, edge: 'x'.repeat(MEGABYTE) }))
    expect(fault.message.length).toBeLessThan(10_000)
  })

  // A store that cannot hold such text would answer with a store fault.
  it('does not reach the store', async () => {
    const seen: string[] = []
    const memory = createMemoryStore()
    memory.write([{ op: 'putNode', node: { id: ADA, type: 'user', fields: { name: 'Ada' } } }])
    const graph = createGraph({
      ...memory,
      read: wave => {
        seen.push(...wave.tests.map(({ name }) => name), ...wave.ranges.map(({ name }) => name))
        return memory.read(wave)
      },
    })
    const viewer = graph.session({ viewer: ADA, app: 'demo', scopes: [] })
    await faultOf(loosely(graph.hasEdge, viewer, { id: ADA, edge: '\ud83d', target: ADA }))
    await faultOf(loosely(graph.getEdge, viewer, { id: ADA, edge: '\ud83d', order: 'chronological' }))
    expect(seen).toEqual([])
  })
})

describe('an expression that nobody meant', () => {
  it.each([
    ['10,000 nested braces', `${'a{'.repeat(10_000)}`, 'expression_too_long'],
    ['4,000 nested braces', 'a{'.repeat(4000), 'expression_too_deep'],
    ['1 MB of names', 'name,'.repeat(MEGABYTE / 5), 'expression_too_long'],
    ['1 MB of spaces', ' '.repeat(MEGABYTE), 'expression_too_long'],
    ['8,000 opening brackets', `a.f(${'('.repeat(8000)}`, 'syntax'],
    ['half of a surrogate pair', 'name,\ud83d', 'bad_parameter'],
    ['half of a pair in an argument', 'picture.type("\ud83d")', 'bad_parameter'],
    ['a byte of zero', 'name\u0000', 'syntax'],
    ['script', '<script>', 'syntax'],
    ['a path', '../../etc/passwd', 'syntax'],
    ['SQL', "name'; DROP TABLE nodes; --", 'syntax'],
    ['a wildcard', '*', 'syntax'],
  ])('is refused soon: %s', async (_, fields, reason) => {
    const started = performance.now()
    expect((await faultOf(loosely(getNode, ada, { id: ADA, fields }))).data.reason).toBe(reason)
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('a token that nobody issued', () => {
  it.each([
    'x',
    ' ',
    '|',
    'a|b',
    '__proto__',
    '\u0000',
    '\ud83d',
    'x'.repeat(MEGABYTE),
    `${'A'.repeat(43)}.${'A'.repeat(22)}`,
  ])('is unknown: %o', async token => {
    const fault = await faultOf(getNode(token, { id: ADA }))
    expect(fault).toMatchObject({
      code: 190,
      subcode: undefined,
      status: 400,
      message: 'Invalid access token',
    })
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
