import fc from 'fast-check'
import type { JsonObject } from '../../../src/base/json.ts'
import type { EdgeKey, EdgeRange, StoreReadRequest, TokenRecord } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'

/** Objects with the prototype of object literals. */
const plainRecord = <TRecord>(members: { [TName in keyof TRecord]: fc.Arbitrary<TRecord[TName]> }) =>
  fc.record(members, { noNullPrototype: true })

/**
 * A few ids, so that mutations share nodes. They have different lengths, so that their order as numbers
 * differs from their order as texts. Some are named ids.
 */
export const anyId = fc.constantFrom(
  '1',
  '2',
  '9',
  '10',
  '4294967296',
  '1000000000',
  '9007199254740993',
  '9223372036854775807',
  'photo-2',
  'photo-10',
  'photo-1',
  'album-1',
)
const anyName = fc.constantFrom('likes', '__proto__', 'constructor', '', '\u0000', '🦋')
/** One of a few times, so that equal times are frequent, including the smallest and the largest time. */
const anyTime = fc.constantFrom(-8.64e15, -4294967297, -1, 0, 1, 4294967296, 8.64e15)
const anyDigest = fc.constantFrom('a', '', '__proto__', 'digest')

const anyObject: fc.Arbitrary<JsonObject> = fc
  .dictionary(
    fc.oneof(anyName, fc.string({ maxLength: 3, unit: 'grapheme' })),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  )
  .map(object => JSON.parse(JSON.stringify(object)))

const anyEdgeKey: fc.Arbitrary<EdgeKey> = plainRecord({ source: anyId, name: anyName, target: anyId })

const anyToken: fc.Arbitrary<TokenRecord> = plainRecord({
  viewer: fc.option(anyId, { nil: undefined }),
  app: fc.string(),
  scopes: fc.array(anyName, { maxLength: 2 }),
  issuedAt: anyTime,
  expiresAt: fc.option(anyTime, { nil: undefined }),
  revokedAt: fc.option(anyTime, { nil: undefined }),
  generation: fc.string(),
  claims: anyObject,
})

const anyNode = plainRecord({ id: anyId, type: fc.constantFrom('user', '__proto__'), fields: anyObject })
const anyEdge = fc
  .tuple(anyEdgeKey, anyTime, fc.option(anyObject, { nil: undefined }))
  .map(([key, time, data]) => ({ ...key, time, ...(data && { data }) }))

/** Nodes and edges are written more often than they are deleted, so that there is something to read. */
export const anyMutation: fc.Arbitrary<StoreMutation> = fc.oneof(
  { weight: 6, arbitrary: anyNode.map(node => ({ op: 'putNode' as const, node })) },
  {
    weight: 3,
    arbitrary: plainRecord({ op: fc.constant('patchNode' as const), id: anyId, fields: anyObject }),
  },
  { weight: 1, arbitrary: anyId.map(id => ({ op: 'deleteNode' as const, id })) },
  { weight: 12, arbitrary: anyEdge.map(edge => ({ op: 'putEdge' as const, edge })) },
  { weight: 3, arbitrary: anyEdgeKey.map(edge => ({ op: 'deleteEdge' as const, edge })) },
  {
    weight: 2,
    arbitrary: plainRecord({ op: fc.constant('putToken' as const), digest: anyDigest, token: anyToken }),
  },
  { weight: 1, arbitrary: anyDigest.map(digest => ({ op: 'deleteToken' as const, digest })) },
)

export const anyRange: fc.Arbitrary<EdgeRange> = plainRecord({
  source: anyId,
  name: anyName,
  direction: fc.constantFrom('newest' as const, 'oldest' as const),
  from: fc.option(plainRecord({ time: anyTime, target: anyId }), { nil: undefined }),
  minTime: fc.option(anyTime, { nil: undefined }),
  maxTime: fc.option(anyTime, { nil: undefined }),
  limit: fc.nat({ max: 5 }),
  count: fc.boolean(),
})

export const anyRequest: fc.Arbitrary<StoreReadRequest> = plainRecord({
  nodes: fc.array(anyId),
  ranges: fc.array(anyRange),
  checks: fc.array(anyEdgeKey),
  tokens: fc.array(anyDigest),
})
