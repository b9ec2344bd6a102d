import type { Arbitrary } from 'fast-check'
import type { IdKind } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type { Increment, WriteCondition } from '../store/conditional.ts'
import type { EdgeKey } from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { CONDITIONAL_IDS } from './id-arbitraries.ts'
import { withCondition, withMirror } from './records.ts'
import type { FastCheck } from './store-suite.ts'

/** Few names and values, so that conditions often hold. Two values differ only in the order of names. */
const NAMES = ['likes', 'friends']
const VALUES = [0, 1, { a: 1, b: [{}] }, { b: [{}], a: 1 }]
const LIMITS = [Number.MAX_SAFE_INTEGER, 2]

/** Creates the arbitraries of the parts of mutations. */
const createPartArbitraries = (fc: FastCheck, ids: IdKind) => {
  const name = fc.constantFrom(...NAMES)
  const value = fc.constantFrom(...VALUES)
  const membersOf = <T>(member: Arbitrary<T>, maxKeys = 2) =>
    fc.dictionary(name, member, { maxKeys, noNullPrototype: true })
  const increment: Arbitrary<Increment> = fc.record({
    by: fc.constantFrom(1, -1, 0.5),
    min: fc.constantFrom(...LIMITS).map(limit => -limit),
    max: fc.constantFrom(...LIMITS),
    isInteger: fc.boolean(),
  })
  const when: Arbitrary<WriteCondition> = fc.oneof(
    fc.record({ exists: fc.boolean() }),
    fc.record({ fields: membersOf(fc.option(value, { freq: 2 }), 1) }),
  )
  return {
    id: fc.constantFrom(...CONDITIONAL_IDS[ids]),
    name,
    members: membersOf(value),
    patch: membersOf(fc.option(value)),
    increment: membersOf(increment),
    when,
  }
}

const createPatch = (
  id: string,
  fields: JsonObject,
  increment: { readonly [name: string]: Increment },
): StoreMutation =>
  Object.keys(increment).length === 0
    ? { op: 'patchNode', id, fields }
    : { op: 'patchNode', id, fields, increment }

/** Creates the arbitrary of mutations that often have a condition or an increment. */
export const createConditionalMutationArbitrary = (fc: FastCheck, ids: IdKind): Arbitrary<StoreMutation> => {
  const { id, name, members, patch, increment, when } = createPartArbitraries(fc, ids)
  const node = fc.record({ id, type: fc.constant('thing'), fields: members })
  const key: Arbitrary<EdgeKey> = fc.record({ source: id, name, target: id })
  const edge = fc
    .tuple(key, fc.constantFrom(0, 1), fc.option(members, { nil: undefined }))
    .map(([key, time, data]) => ({ ...key, time, data }))
  const ofEdges: Arbitrary<StoreMutation> = fc.oneof(
    { weight: 2, arbitrary: fc.record({ op: fc.constant('putEdge'), edge }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('deleteEdge'), edge: key }) },
  )
  const mirrored = fc.tuple(ofEdges, name).map(([mutation, name]) => withMirror(mutation, name))
  const mutation = fc.oneof(
    { weight: 3, arbitrary: fc.record({ op: fc.constant('putNode'), node }) },
    { weight: 4, arbitrary: fc.tuple(id, patch, increment).map(parts => createPatch(...parts)) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('deleteNode'), id }) },
    { weight: 4, arbitrary: ofEdges },
    { weight: 3, arbitrary: mirrored },
  )
  return fc
    .tuple(mutation, fc.option(when, { nil: undefined, freq: 2 }))
    .map(([mutation, when]) => (when === undefined ? mutation : withCondition(mutation, when)))
}
