import { describe, expect, it } from 'vitest'
import type { ErrorReason } from '../../../src/base/error-kinds.ts'
import { GraphError, internalError, invalidParameterError, isGraphError } from '../../../src/base/errors.ts'

/** The status, code, subcode and type of each reason, and whether it is transient. */
const TABLE: {
  readonly [reason in ErrorReason]: readonly [number, number, number | undefined, string, boolean]
} = {
  token_missing: [400, 104, undefined, 'OAuthException', false],
  viewer_required: [400, 2500, undefined, 'OAuthException', false],
  token_invalid: [400, 190, undefined, 'OAuthException', false],
  token_expired: [400, 190, 463, 'OAuthException', false],
  token_revoked: [400, 190, 466, 'OAuthException', false],
  proof_invalid: [400, 100, undefined, 'GraphMethodException', false],
  node_not_found: [400, 100, 33, 'GraphMethodException', false],
  field_not_found: [400, 100, undefined, 'OAuthException', false],
  invalid_parameter: [400, 100, undefined, 'OAuthException', false],
  invalid_syntax: [400, 2500, undefined, 'OAuthException', false],
  duplicate_name: [400, 2500, undefined, 'OAuthException', false],
  field_not_in_version: [400, 12, undefined, 'OAuthException', false],
  scope_missing: [403, 200, undefined, 'OAuthException', false],
  path_not_found: [400, 2500, undefined, 'OAuthException', false],
  method_not_supported: [400, 100, 33, 'GraphMethodException', false],
  too_many_ids: [400, 100, undefined, 'OAuthException', false],
  batch_too_large: [400, 100, undefined, 'GraphBatchException', false],
  invalid_batch: [400, 100, undefined, 'GraphBatchException', false],
  request_too_large: [413, 1, undefined, 'OAuthException', false],
  request_too_slow: [408, 1, undefined, 'OAuthException', false],
  app_rate_limited: [403, 4, undefined, 'OAuthException', true],
  user_rate_limited: [403, 17, undefined, 'OAuthException', true],
  expression_too_long: [400, 1, undefined, 'OAuthException', false],
  expression_too_deep: [400, 1, undefined, 'OAuthException', false],
  expression_too_wide: [400, 1, undefined, 'OAuthException', false],
  query_too_expensive: [400, 1, undefined, 'OAuthException', false],
  response_too_large: [400, 1, undefined, 'OAuthException', false],
  conflict: [409, 100, undefined, 'OAuthException', false],
  action_denied: [403, 200, undefined, 'OAuthException', false],
  action_failed: [400, 100, undefined, 'OAuthException', false],
  origin_not_allowed: [403, 200, undefined, 'OAuthException', false],
  invalid_mutation: [400, 100, undefined, 'OAuthException', false],
  store_error: [503, 2, undefined, 'OAuthException', true],
  timeout: [503, 2, undefined, 'OAuthException', true],
  aborted: [503, 2, undefined, 'OAuthException', true],
  internal_error: [500, 1, undefined, 'OAuthException', false],
}

const isReason = (word: string): word is ErrorReason => Object.hasOwn(TABLE, word)

describe('a GraphError', () => {
  it.each(Object.keys(TABLE).filter(isReason))(
    'has the status, code, subcode and type of its reason: %s',
    reason => {
      const [status, code, subcode, type, isTransient] = TABLE[reason]
      const error = new GraphError(reason, 'What went wrong')
      expect(error).toMatchObject({ status, code, subcode, type, reason })
      expect(error.toJSON().error.is_transient).toBe(isTransient ? true : undefined)
    },
  )

  it('is an Error with a name and a stack', () => {
    const error = new GraphError('invalid_syntax', 'What went wrong')
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('GraphError')
    expect(error.stack).toContain('What went wrong')
  })

  it('has the members of the protocol in its envelope, in their usual order', () => {
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

  it('is marked as transient in its envelope if its reason is transient', () => {
    const { error } = new GraphError('timeout', 'Too late').toJSON()
    expect(Object.keys(error)).toEqual([
      'message',
      'type',
      'is_transient',
      'code',
      'error_data',
      'fbtrace_id',
    ])
  })

  it('is serialized as its envelope by JSON.stringify', () => {
    const error = new GraphError('invalid_syntax', 'What went wrong')
    expect(JSON.parse(JSON.stringify(error))).toEqual(error.toJSON())
  })

  it('keeps its cause out of the envelope', () => {
    const error = internalError(new Error('password hunter2 at /srv/secret'))
    expect(error.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(error)).not.toMatch(/hunter2|secret/)
    expect(error.message).not.toMatch(/hunter2|secret/)
  })

  it('has a unique trace id', () => {
    const ids = Array.from({ length: 100 }, () => new GraphError('invalid_syntax', '').traceId)
    expect(new Set(ids).size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/)
  })

  it('names an invalid parameter, the expected value and the received value', () => {
    const error = invalidParameterError('limit', 'an integer from 1', '0')
    expect(error.message).toBe('(#100) Invalid parameter "limit": must be an integer from 1; received 0')
    expect(error.toJSON().error.error_data).toEqual({
      reason: 'invalid_parameter',
      parameter: 'limit',
      expected: 'an integer from 1',
      received: '0',
    })
  })
})

describe('isGraphError', () => {
  it('recognizes an error of another copy of the library by its brand', () => {
    const [foreign] = [{ [Symbol.for('kithgraph.GraphError')]: true }]
    expect(isGraphError(foreign)).toBe(true)
    expect(isGraphError(new GraphError('invalid_syntax', ''))).toBe(true)
  })

  it.each([undefined, null, 'GraphError', 1, {}, new Error('GraphError'), { name: 'GraphError' }])(
    'returns false for %o',
    value => {
      expect(isGraphError(value)).toBe(false)
    },
  )
})
