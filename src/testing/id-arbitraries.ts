import type { Arbitrary } from 'fast-check'
import type { IdKind, NodeId } from '../base/ids.ts'
import { namedId } from '../base/named-ids.ts'
import type { FastCheck } from './store-suite.ts'

const LARGEST_ID = 2n ** 63n - 1n

/** A key of the maximum length, and another one that differs only in its last character. */
const LONG_KEYS = ['x', 'y'].map(end => `${'x'.repeat(189)}${end}`)

/** A few ids of each kind. Naive comparisons find another order, or two equal ids. */
export const TRICKY_IDS: { readonly [kind in IdKind]: readonly NodeId[] } = {
  digits: ['1', '2', '9', '10', '11', '100', '9007199254740992', '9007199254740993', `${LARGEST_ID}`],
  named: [
    'user-9',
    'user-10',
    'user-A',
    'user-a',
    'user--',
    'user-1~2',
    'user-.c3.a9',
    'user2-1',
    'user_x-1',
    ...LONG_KEYS.map(key => `user-${key}`),
  ],
}

/** The ids of the nodes in conditional mutations. */
export const CONDITIONAL_IDS: { readonly [kind in IdKind]: readonly NodeId[] } = {
  digits: ['1', '2', '10'],
  named: ['user-10', 'user-9', 'user-a~.20'],
}

const createAnyId = (fc: FastCheck, ids: IdKind): Arbitrary<NodeId> => {
  if (ids === 'digits') return fc.bigInt(1n, LARGEST_ID).map(String)
  const part = fc.oneof(fc.nat(), fc.string({ unit: 'binary', maxLength: 4 }))
  return fc.array(part, { minLength: 1, maxLength: 3 }).map(key => namedId('user', ...key))
}

/** Creates an arbitrary of ids of a kind: usually one of a few, so that records often have the same id. */
export const createIdArbitrary = (fc: FastCheck, ids: IdKind): Arbitrary<NodeId> =>
  fc.oneof(
    { weight: 19, arbitrary: fc.constantFrom(...TRICKY_IDS[ids]) },
    { weight: 1, arbitrary: createAnyId(fc, ids) },
  )
