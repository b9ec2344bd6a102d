import { type IdKind, isIdOfKind, type NodeId } from '../base/ids.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { ROOT_ID } from '../store/derived-entries.ts'

const NODE_ID_EXPECTED: { readonly [kind in IdKind]: string } = {
  digits: 'a node id: a string of digits, "1" to "9223372036854775807"',
  named: 'a node id: a type and a key, such as "photo-42"',
}

/** Validates the id of a node in a write or a load. @throws a {@link ValidationIssue}. */
export const parseNodeId = (kind: IdKind, value: unknown, path: string): NodeId => {
  if (isIdOfKind(kind, value)) return value
  const expected =
    value === ROOT_ID
      ? 'the id of a stored node, since the store itself keeps the collections of root'
      : NODE_ID_EXPECTED[kind]
  throw new ValidationIssue(expected, value, path)
}
