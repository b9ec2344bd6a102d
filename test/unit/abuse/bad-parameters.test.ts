import { describe, expect, it } from 'vitest'
import { ADA, createWorld } from '../../helpers/world.ts'
import { faultOf, loosely } from './fault-of.ts'

const { graph, ada } = await createWorld()
const { getEdge, getEdges, getNode, getNodes, hasEdge } = graph

const MEGABYTE = 1_000_000

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
        'Unsupported get request. The node 9223372036854775807 does not exist, may not be seen, or is not of the type asked for',
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
      expected: 'an integer from 1, or 0 with a summary',
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
    ['summary', 'perhaps'],
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
