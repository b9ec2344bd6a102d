import { describe, expect, it } from 'vitest'
import { ADA, createWorld } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from './expect-graph-error.ts'

const { graph, ada } = await createWorld()
const { getEdge, getEdges, getNode, getNodes, hasEdge } = graph

const MEGABYTE = 1_000_000

describe('an invalid id', () => {
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
  ])('is rejected as an invalid parameter: $0', async id => {
    for (const promise of [
      callUntyped(getNode, ada, { id }),
      callUntyped(getNodes, ada, { ids: [ADA, id] }),
      callUntyped(getEdge, ada, { id, edge: 'friends' }),
      callUntyped(getEdges, ada, { ids: [id], edge: 'friends' }),
      callUntyped(hasEdge, ada, { id, edge: 'friends', target: ADA }),
    ]) {
      const error = await expectGraphError(promise)
      expect(error).toMatchObject({
        code: 100,
        status: 400,
        reason: 'invalid_parameter',
        data: { parameter: 'id' },
      })
      expect(error.message).toMatch(
        /^\(#100\) Invalid parameter "id": must be a string of at most 19 digits, or "me"; received /,
      )
      expect(error.message.length).toBeLessThan(200)
    }
  })

  it('is rejected as the target of hasEdge', async () => {
    const error = await expectGraphError(
      callUntyped(hasEdge, ada, { id: ADA, edge: 'friends', target: 'Grace' }),
    )
    expect(error.toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'target',
    })
  })
})

describe('the largest id', () => {
  it('is valid: a read of it fails only because no node has it', async () => {
    const error = await expectGraphError(getNode(ada, { id: '9223372036854775807' }))
    expect(error).toMatchObject({
      code: 100,
      subcode: 33,
      type: 'GraphMethodException',
      message:
        'Unsupported get request. The node 9223372036854775807 does not exist, is not visible, or is not of the requested type',
    })
  })
})

describe('a read of several ids', () => {
  it('rejects more than 50 ids', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `${index + 1}`)
    const error = await expectGraphError(getNodes(ada, { ids }))
    expect(error.message).toBe('(#100) Too many IDs. Maximum: 50. Provided: 51.')
    expect(error.toJSON().error.error_data).toEqual({ reason: 'too_many_ids', limit: 50, received: 51 })
    expect((await expectGraphError(getEdges(ada, { ids, edge: 'likes' }))).reason).toBe('too_many_ids')
  })

  it('counts a repeated id once for the limit of 50', async () => {
    expect(await getNodes(ada, { ids: Array<string>(1000).fill(ADA), fields: 'id' })).toEqual({
      [ADA]: { id: ADA },
    })
  })
})

describe('an invalid limit', () => {
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
  ])('is rejected as an invalid parameter: $0', async limit => {
    const error = await expectGraphError(callUntyped(getEdge, ada, { id: ADA, edge: 'photos', limit }))
    expect(error.toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'limit',
      expected: 'an integer of at least 1, or 0 with a summary',
    })
  })

  it.each(['0', '-1', '1.5', '', 'all', '"2"', '1e2', '9'.repeat(100)])(
    'is rejected as an invalid parameter inside an expression: %o',
    async limit => {
      const error = await expectGraphError(
        callUntyped(getNode, ada, { id: ADA, fields: `photos.limit(${limit})` }),
      )
      expect(error.toJSON().error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'limit',
      })
    },
  )
})

describe('an invalid cursor', () => {
  it.each([1, '', ' ', 'x', 'MQ==', 'cGhvdG9z', '__proto__', '\ud83d', null, {}, 'A'.repeat(MEGABYTE)])(
    'is rejected as an invalid parameter: $0',
    async cursor => {
      for (const name of ['after', 'before']) {
        const error = await expectGraphError(
          callUntyped(getEdge, ada, { id: ADA, edge: 'photos', [name]: cursor }),
        )
        expect(error.toJSON().error.error_data).toMatchObject({
          reason: 'invalid_parameter',
          parameter: name,
        })
        expect(error.message.length).toBeLessThan(300)
      }
    },
  )

  it('is rejected as an invalid parameter inside an expression', async () => {
    const error = await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields: 'photos.before(x)' }))
    expect(error.toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'before',
    })
  })
})

describe('a changed cursor', () => {
  const readCursor = async (): Promise<string> =>
    (await getEdge(ada, { id: ADA, edge: 'photos', limit: 1 })).paging?.cursors.after ?? ''

  it('is either accepted, or rejected as an invalid parameter and with no other error', async () => {
    const cursor = await readCursor()
    for (let at = 0; at < cursor.length; at++) {
      const letter = cursor.charAt(at) === 'A' ? 'B' : 'A'
      const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1)
      await callUntyped(getEdge, ada, { id: ADA, edge: 'photos', after: changed }).catch(
        async (error: unknown) => {
          expect((await expectGraphError(Promise.reject(error))).toJSON().error.error_data).toMatchObject({
            reason: 'invalid_parameter',
          })
        },
      )
    }
  })

  it('is rejected if a character at its beginning or end is removed or added', async () => {
    const cursor = await readCursor()
    for (const changed of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`]) {
      const error = await expectGraphError(
        callUntyped(getEdge, ada, { id: ADA, edge: 'photos', after: changed }),
      )
      expect(error.data).toMatchObject({ parameter: 'after' })
    }
  })
})

describe('a cursor that no page returned', () => {
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
  ])('is rejected as an invalid parameter: %s', async text => {
    const error = await expectGraphError(
      callUntyped(getEdge, ada, { id: ADA, edge: 'photos', after: Buffer.from(text).toString('base64url') }),
    )
    expect(error.data).toMatchObject({ parameter: 'after' })
  })
})

describe('an invalid date', () => {
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
  ])('is rejected as an invalid parameter: $0', async date => {
    for (const name of ['since', 'until']) {
      const error = await expectGraphError(
        callUntyped(getEdge, ada, { id: ADA, edge: 'photos', [name]: date }),
      )
      expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: name })
    }
  })

  it('is rejected as an invalid parameter inside an expression', async () => {
    const error = await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields: 'photos.since(soon)' }))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'since' })
  })
})

describe('an invalid order, summary or modifier', () => {
  it.each([
    ['order', 'newest'],
    ['order', 1],
    ['order', ''],
    ['order', 'constructor'],
    ['summary', 'perhaps'],
    ['summary', 2],
    ['summary', null],
    ['summary', []],
  ])('is rejected as an invalid parameter: %s %o', async (name, value) => {
    const error = await expectGraphError(
      callUntyped(getEdge, ada, { id: ADA, edge: 'photos', [name]: value }),
    )
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: name })
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
  ])('is rejected as an invalid parameter inside an expression: %s', async modifier => {
    const error = await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields: `photos.${modifier}` }))
    expect(error.toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: modifier.slice(0, modifier.indexOf('(')),
    })
  })
})
