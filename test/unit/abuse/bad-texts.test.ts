import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, GRACE, NEWEST_PHOTO } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from './expect-graph-error.ts'

const { graph, ada } = await createWorld()
const { getEdge, getNode, hasEdge } = graph

const MEGABYTE = 1_000_000

describe('an unknown name', () => {
  it.each(['nmae', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Name', '_'])(
    'is rejected as a field: %s',
    async name => {
      const error = await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields: name }))
      expect(error).toMatchObject({ code: 100, status: 400, type: 'OAuthException' })
      expect(error.toJSON().error.error_data).toMatchObject({ reason: 'field_not_found', name, type: 'user' })
    },
  )

  it.each(['nmae', '__proto__', 'constructor', 'name', '', ' ', '\u0000', '../me'])(
    'is rejected as an edge: %o',
    async edge => {
      for (const call of [getEdge, hasEdge]) {
        const error = await expectGraphError(
          callUntyped(call, ada, { id: ADA, edge, ...(call === hasEdge && { target: GRACE }) }),
        )
        expect(error.toJSON().error.error_data).toMatchObject({
          reason: 'field_not_found',
          name: edge,
          type: 'user',
        })
      }
    },
  )

  it('is reported with a similar name as a suggestion', async () => {
    const error = await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields: 'nmae' }))
    expect(error.message).toBe(
      '(#100) Tried accessing nonexisting field (nmae) on node type (user); did you mean name?',
    )
    expect(error.toJSON().error.error_data).toEqual({
      reason: 'field_not_found',
      name: 'nmae',
      type: 'user',
      suggestions: ['name'],
    })
  })

  it('is rejected even if another type has it', async () => {
    expect(
      (await expectGraphError(callUntyped(getNode, ada, { id: NEWEST_PHOTO, fields: 'message' }))).reason,
    ).toBe('field_not_found')
    expect(
      (await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields: 'photos{email}' }))).reason,
    ).toBe('field_not_found')
  })

  // Otherwise, the message would send the whole name to the client.
  it('is shortened in the error message if it is long', async () => {
    const error = await expectGraphError(callUntyped(getEdge, ada, { id: ADA, edge: 'x'.repeat(MEGABYTE) }))
    expect(error.message.length).toBeLessThan(10_000)
  })

  // Some stores cannot save a lone surrogate. Without this check, they would fail with `store_error`.
  it('is not passed to the store as the name of an edge', async () => {
    const seen: string[] = []
    const memory = createMemoryStore()
    memory.write([{ op: 'putNode', node: { id: ADA, type: 'user', fields: { name: 'Ada' } } }])
    const graph = createGraph({
      ...memory,
      read: request => {
        seen.push(...request.checks.map(({ name }) => name), ...request.ranges.map(({ name }) => name))
        return memory.read(request)
      },
    })
    const viewer = graph.session({ viewer: ADA, app: 'demo', scopes: [] })
    await expectGraphError(callUntyped(graph.hasEdge, viewer, { id: ADA, edge: '\ud83d', target: ADA }))
    await expectGraphError(
      callUntyped(graph.getEdge, viewer, { id: ADA, edge: '\ud83d', order: 'chronological' }),
    )
    expect(seen).toEqual([])
  })
})

describe('a malformed or oversized expression', () => {
  it.each([
    ['10,000 nested braces', `${'a{'.repeat(10_000)}`, 'expression_too_long'],
    ['4,000 nested braces', 'a{'.repeat(4000), 'expression_too_deep'],
    ['1 MB of names', 'name,'.repeat(MEGABYTE / 5), 'expression_too_long'],
    ['1 MB of spaces', ' '.repeat(MEGABYTE), 'expression_too_long'],
    ['8,000 opening brackets', `a.f(${'('.repeat(8000)}`, 'invalid_syntax'],
    ['half of a surrogate pair', 'name,\ud83d', 'invalid_parameter'],
    ['half of a pair in an argument', 'picture.type("\ud83d")', 'invalid_parameter'],
    ['a byte of zero', 'name\u0000', 'invalid_syntax'],
    ['script', '<script>', 'invalid_syntax'],
    ['a path', '../../etc/passwd', 'invalid_syntax'],
    ['SQL', "name'; DROP TABLE nodes; --", 'invalid_syntax'],
    ['a wildcard', '*', 'invalid_syntax'],
  ])('is rejected within five seconds: %s', async (_, fields, reason) => {
    const started = performance.now()
    expect((await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields }))).reason).toBe(reason)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('a token that was never issued', () => {
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
  ])('is rejected as invalid: $0', async token => {
    const error = await expectGraphError(getNode(token, { id: ADA }))
    expect(error).toMatchObject({
      code: 190,
      subcode: undefined,
      status: 400,
      message: 'Invalid OAuth access token',
    })
  })
})
