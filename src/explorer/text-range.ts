import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { stripWhiteSpace } from '../fields/strip-white-space.ts'

/** A range of a text, from an index up to and not including another. */
export type TextRange = { readonly from: number; readonly to: number }

/**
 * The position of an item in an expression without white space: its name, and its name with all modifiers.
 */
type ItemPosition = { readonly from: number; readonly nameEnd: number; readonly end: number }

const FIELDS_CALL_START = '.fields('

/** Records the positions of the items of a list that begins at `start`, and returns the end of the list. */
const collectPositions = (
  text: string,
  items: FieldExpression,
  start: number,
  positions: Map<FieldItem, ItemPosition>,
): number => {
  let at = start
  for (const item of items) {
    const from = at
    at += item.name.length
    const nameEnd = at
    const modifiers = item.modifiers.values()
    // Inner lists follow their item, as everywhere else.
    positions.set(item, { from, nameEnd, end: nameEnd })
    while (text.charAt(at) === '.') {
      if (text.startsWith(FIELDS_CALL_START, at)) {
        at = collectPositions(text, item.fields ?? [], at + FIELDS_CALL_START.length, positions)
        continue
      }
      const { name = '', argument = '' } = modifiers.next().value ?? {}
      at += `.${name}(${argument})`.length
    }
    positions.set(item, { from, nameEnd, end: at })
    if (text.charAt(at) === '{') at = collectPositions(text, item.fields ?? [], at + 1, positions)
    // The comma, or the end of the list.
    at++
  }
  return at
}

/** Converts a range of the text without white space to a range of the original text. */
const toOriginalRange = (text: string, stripped: string, from: number, to: number): TextRange => {
  const offsets: number[] = []
  let at = 0
  for (let index = 0; index < stripped.length; index++) {
    while (text.charAt(at) !== stripped.charAt(index)) at++
    offsets.push(at++)
  }
  const last = offsets[to - 1]
  return { from: offsets[from] ?? text.length, to: last === undefined ? text.length : last + 1 }
}

/**
 * Finds the range of an item in the text of its expression: its name, or everything before `{`. Items are
 * counted in the order of the text.
 */
export const findItemRange = (
  text: string,
  expression: FieldExpression,
  index: number,
  part: 'name' | 'call',
): TextRange | undefined => {
  const stripped = stripWhiteSpace(text)
  const positions = new Map<FieldItem, ItemPosition>()
  collectPositions(stripped, expression, 0, positions)
  const position = [...positions.values()][index]
  return (
    position &&
    toOriginalRange(text, stripped, position.from, part === 'name' ? position.nameEnd : position.end)
  )
}

/**
 * Returns the range of the character at a position of the text without white space. It is empty at the end.
 */
export const rangeAt = (text: string, position: number): TextRange => {
  const stripped = stripWhiteSpace(text)
  return toOriginalRange(text, stripped, position, Math.min(position + 1, stripped.length))
}

const isWordCharacter = (character: string): boolean => /^\w$/.test(character)

/**
 * Returns the range of the name that ends at a position of the text without white space, or else of the
 * character there.
 */
export const rangeBefore = (text: string, position: number): TextRange => {
  const stripped = stripWhiteSpace(text)
  let start = position
  while (isWordCharacter(stripped.charAt(start - 1))) start--
  return toOriginalRange(text, stripped, Math.min(start, position - 1), position)
}
