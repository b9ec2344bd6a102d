import type { CursorCipher } from '../access/cursor-cipher.ts'
import { GraphError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import { isPositionKey, POSITION_KEY_EXPECTED } from '../store/check-results.ts'
import type { EdgePosition } from '../store/contract.ts'

/** A position in a list that a function of the schema returns. */
type ResolvedPosition = { readonly position: string }

/** A position in a list. */
export type ListPosition = EdgePosition | ResolvedPosition

/**
 * The form of the positions of a list: a time and a target, a key and a target, or texts that a function of the schema
 * returns.
 */
export type PositionForm = 'time' | 'key' | 'resolved'

/** Returns the form of the positions of a list. */
export const positionFormOf = ({
  computation,
  order,
}: {
  readonly computation: object | undefined
  readonly order: { readonly hasKey: boolean }
}): PositionForm => (computation !== undefined ? 'resolved' : order.hasKey ? 'key' : 'time')

/** Whether a position has the form of its list. */
export const hasForm = (position: ListPosition, form: PositionForm): boolean =>
  'position' in position ? form === 'resolved' : form === (position.key === undefined ? 'time' : 'key')

/**
 * Asserts that the position of an entry has the form that the schema declares for its list.
 *
 * @throws GraphError `store_error`.
 */
export const assertPositionForm = (edge: string, { key }: EdgePosition, hasKey: boolean): void => {
  if (key === undefined && !hasKey) return
  if (key !== undefined && hasKey && isPositionKey(key)) return
  const expected = hasKey
    ? `${POSITION_KEY_EXPECTED}, because its schema declares keys`
    : 'no key, because its schema has no "positionKey"'
  throw new GraphError('store_error', `(#2) A position in ${edge} must have ${expected}`)
}

/** Ids that are longer are replaced in encrypted cursors, so that the cursors stay short. */
const MAX_SOURCE_LENGTH = 22
/** Begins the text that replaces a long id. No id contains the character. */
const SOURCE_MARKER = '#'

/** Returns the text that identifies the source of a list in an encrypted cursor: its id, or a signature of it. */
export const sourceTextOf = (source: NodeId, cursorCipher: CursorCipher): string =>
  source.length <= MAX_SOURCE_LENGTH ? source : SOURCE_MARKER + cursorCipher.sign(`source ${source}`)

/** Prints a position and its source. A position of an entry has at most 796 bytes, most of them for its key. */
export const printListPosition = (sourceText: string, position: ListPosition): string => {
  if ('position' in position) return `computed ${sourceText} ${position.position}`
  const { time, target, key } = position
  return key === undefined ? `${sourceText} ${time} ${target}` : `${sourceText} ${time} ${target} ${key}`
}

/** Parses the text of `printListPosition`. */
export const parseListPosition = (
  text: string,
): { readonly from: ListPosition; readonly onlySource: string } => {
  const [first = '', second = '', third = '', fourth] = text.split(' ', 4)
  if (first === 'computed')
    return { from: { position: text.slice(`computed ${second} `.length) }, onlySource: second }
  const from = { time: Number(second), target: third }
  if (fourth === undefined) return { from, onlySource: first }
  // A key may contain blanks.
  const key = text.slice(`${first} ${second} ${third} `.length)
  return { from: { ...from, key }, onlySource: first }
}
