import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, GRACE, NEWEST_PHOTO } from '../../helpers/world.ts'
import { faultOf, loosely } from './fault-of.ts'

const { graph, ada } = await createWorld()
const { getEdge, getNode, hasEdge } = graph

const MEGABYTE = 1_000_000

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
    expect(fault.message).toBe(
      '(#100) Tried accessing nonexisting field (nmae) on node type (user); did you mean name?',
    )
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
    expect(performance.now() - started).toBeLessThan(5000)
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
      message: 'Invalid OAuth access token',
    })
  })
})
