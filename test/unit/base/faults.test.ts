import { describe, expect, it } from 'vitest'
import {
  badParameter,
  type FaultReason,
  GraphError,
  internalFault,
  isGraphError,
} from '../../../src/base/faults.ts'

/** The table of reasons as clients see it: status, code, subcode, type, whether it passes by itself. */
const TABLE: {
  readonly [reason in FaultReason]: readonly [number, number, number | undefined, string, boolean]
} = {
  token_missing: [400, 104, undefined, 'OAuthException', false],
  viewer_missing: [400, 2500, undefined, 'OAuthException', false],
  token_unknown: [400, 190, undefined, 'OAuthException', false],
  token_expired: [400, 190, 463, 'OAuthException', false],
  token_revoked: [400, 190, 466, 'OAuthException', false],
  proof_invalid: [400, 100, undefined, 'GraphMethodException', false],
  node_missing: [400, 100, 33, 'GraphMethodException', false],
  unknown_field: [400, 100, undefined, 'OAuthException', false],
  bad_parameter: [400, 100, undefined, 'OAuthException', false],
  syntax: [400, 2500, undefined, 'OAuthException', false],
  duplicate: [400, 2500, undefined, 'OAuthException', false],
  not_in_version: [400, 12, undefined, 'OAuthException', false],
  scope_missing: [403, 200, undefined, 'OAuthException', false],
  unknown_path: [400, 2500, undefined, 'OAuthException', false],
  method_not_supported: [400, 100, 33, 'GraphMethodException', false],
  too_many_ids: [400, 100, undefined, 'OAuthException', false],
  too_many_batch_items: [400, 100, undefined, 'GraphBatchException', false],
  bad_batch: [400, 100, undefined, 'GraphBatchException', false],
  request_too_large: [413, 1, undefined, 'OAuthException', false],
  request_too_slow: [408, 1, undefined, 'OAuthException', false],
  rate_limited_app: [403, 4, undefined, 'OAuthException', true],
  rate_limited_user: [403, 17, undefined, 'OAuthException', true],
  expression_too_long: [400, 1, undefined, 'OAuthException', false],
  expression_too_deep: [400, 1, undefined, 'OAuthException', false],
  expression_too_wide: [400, 1, undefined, 'OAuthException', false],
  too_costly: [400, 1, undefined, 'OAuthException', false],
  answer_too_large: [400, 1, undefined, 'OAuthException', false],
  invalid_mutation: [400, 100, undefined, 'OAuthException', false],
  store_fault: [503, 2, undefined, 'OAuthException', true],
  deadline: [503, 2, undefined, 'OAuthException', true],
  aborted: [503, 2, undefined, 'OAuthException', true],
  internal: [500, 1, undefined, 'OAuthException', false],
}

const isReason = (word: string): word is FaultReason => Object.hasOwn(TABLE, word)

describe('a fault', () => {
  it.each(Object.keys(TABLE).filter(isReason))('%s has its status, code, subcode and type', reason => {
    const [status, code, subcode, type, passes] = TABLE[reason]
    const fault = new GraphError(reason, 'What went wrong')
    expect(fault).toMatchObject({ status, code, subcode, type, data: { reason } })
    expect(fault.toJSON().error.is_transient).toBe(passes ? true : undefined)
  })

  it('is an Error with a name and a stack', () => {
    const fault = new GraphError('syntax', 'What went wrong')
    expect(fault).toBeInstanceOf(Error)
    expect(fault.name).toBe('GraphError')
    expect(fault.stack).toContain('What went wrong')
  })

  it('has an envelope of the classic shape, in the classic order', () => {
    const { error } = new GraphError('token_expired', 'It has expired', { after: 1 }).toJSON()
    expect(Object.keys(error)).toEqual([
      'message',
      'type',
      'code',
      'error_subcode',
      'error_data',
      'fbtrace_id',
    ])
    expect(error).toMatchObject({ message: 'It has expired', error_subcode: 463 })
    expect(error.error_data).toEqual({ reason: 'token_expired', after: 1 })
  })

  it('says in its envelope that it passes by itself', () => {
    const { error } = new GraphError('deadline', 'Too late').toJSON()
    expect(Object.keys(error)).toEqual([
      'message',
      'type',
      'is_transient',
      'code',
      'error_data',
      'fbtrace_id',
    ])
  })

  it('is what JSON.stringify writes', () => {
    const fault = new GraphError('syntax', 'What went wrong')
    expect(JSON.parse(JSON.stringify(fault))).toEqual(fault.toJSON())
  })

  it('keeps its cause out of the envelope', () => {
    const fault = internalFault(new Error('password hunter2 at /srv/secret'))
    expect(fault.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(fault)).not.toMatch(/hunter2|secret/)
    expect(fault.message).not.toMatch(/hunter2|secret/)
  })

  it('can be found again by a trace id of its own', () => {
    const ids = Array.from({ length: 100 }, () => new GraphError('syntax', '').traceId)
    expect(new Set(ids).size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/)
  })

  it('names the parameter, what was expected and what came', () => {
    const fault = badParameter('limit', 'an integer from 1', '0')
    expect(fault.message).toBe('(#100) Invalid parameter limit: expected an integer from 1, came 0')
    expect(fault.data).toEqual({
      reason: 'bad_parameter',
      parameter: 'limit',
      expected: 'an integer from 1',
      came: '0',
    })
  })
})

describe('being a fault', () => {
  it('is seen by a brand, so that another copy of the library is understood', () => {
    const [foreign] = [{ [Symbol.for('kithgraph.GraphError')]: true }]
    expect(isGraphError(foreign)).toBe(true)
    expect(isGraphError(new GraphError('syntax', ''))).toBe(true)
  })

  it.each([undefined, null, 'GraphError', 1, {}, new Error('GraphError'), { name: 'GraphError' }])(
    '%o is none',
    value => {
      expect(isGraphError(value)).toBe(false)
    },
  )
})
