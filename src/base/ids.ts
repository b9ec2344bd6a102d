import { isNamedId } from './named-ids.ts'

/**
 * The id of a node as a store has it, always as a string: a decimal number without leading zeros, from 1 to
 * 9223372036854775807, or a named id such as `photo-42` if the schema has `ids: 'named'`. Records, rules and
 * functions of the schema have raw ids, and writes need them. Every string is accepted except a {@link PublicId}. The
 * member `~id` exists only at compile time.
 */
export type RawId = string & { readonly '~id'?: 'raw' }

/**
 * The id of a node as an app sees it, in the results of reads. It differs from the raw id if the type of the
 * node is `appScoped` and the graph has `appIds`. Reads accept it. Where a raw id is needed, it is a compile
 * error, and `graph.ids.toRaw` converts it. The member `~id` exists only at compile time.
 */
export type PublicId = string & { readonly '~id'?: 'public' }

/** The id of a node in a record: its raw id. */
export type NodeId = RawId

const ZERO_CODE = 48
const NINE_CODE = 57
const MAX_ID = '9223372036854775807'

/**
 * The form of the ids of a graph: `digits`, decimal numbers such as `42`, or `named`, a type and a key such as
 * `photo-42`.
 */
export type IdKind = 'digits' | 'named'

/** Whether a value is an id of the kind `digits`. */
export const isDigitsId = (value: unknown): value is NodeId => {
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_ID.length) return false
  // This runs for each ref of each record, and a loop takes a third of the time of a regular expression.
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (code < ZERO_CODE || code > NINE_CODE) return false
  }
  return value.charCodeAt(0) !== ZERO_CODE && (value.length < MAX_ID.length || value <= MAX_ID)
}

/** Whether an id begins with a digit, as ids of the kind `digits` do and named ids never do. */
export const startsWithDigit = (id: string): boolean => id.charCodeAt(0) <= NINE_CODE

/** Whether a value is a well-formed node id of either kind. */
export const isNodeId = (value: unknown): value is NodeId =>
  typeof value === 'string' && startsWithDigit(value) ? isDigitsId(value) : isNamedId(value)

/** Whether a value is a well-formed node id of a kind. */
export const isIdOfKind = (kind: IdKind, value: unknown): value is NodeId =>
  kind === 'digits' ? isDigitsId(value) : isNamedId(value)

/** Returns the kind of a well-formed id. */
export const idKindOf = (id: NodeId): IdKind => (startsWithDigit(id) ? 'digits' : 'named')

/**
 * Whether a value is a well-formed id of the kind of a known id. A ref to an id of the other kind leads to no
 * node.
 */
export const isIdLike = (id: NodeId, value: unknown): value is NodeId => isIdOfKind(idKindOf(id), value)

/**
 * Compares two ids of one kind: digits by their value, without parsing them, and named ids by their bytes.
 * Digits have no leading zeros, so the longer id is larger. Named ids are ASCII.
 */
export const compareIds = (a: NodeId, b: NodeId): number =>
  a.length !== b.length && startsWithDigit(a) && startsWithDigit(b)
    ? a.length - b.length
    : a < b
      ? -1
      : a > b
        ? 1
        : 0
