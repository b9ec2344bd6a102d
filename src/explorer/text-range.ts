import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { stripWhiteSpace } from '../fields/parse.ts'

/** A range of a text, from the index `from` up to but not including the index `to`. */
export type TextRange = { readonly from: number; readonly to: number }

/**
 * The position of an item in an expression without white space: its start, the end of its name, and the end
 * of its modifiers.
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
  let offset = start
  for (const item of items) {
    const from = offset
    offset += item.name.length
    const nameEnd = offset
    const modifierIterator = item.modifiers.values()
    // Adds the item before the items of its inner list.
    positions.set(item, { from, nameEnd, end: nameEnd })
    while (text.charAt(offset) === '.') {
      if (text.startsWith(FIELDS_CALL_START, offset)) {
        offset = collectPositions(text, item.fields ?? [], offset + FIELDS_CALL_START.length, positions)
        continue
      }
      const { name = '', argument = '' } = modifierIterator.next().value ?? {}
      offset += `.${name}(${argument})`.length
    }
    positions.set(item, { from, nameEnd, end: offset })
    if (text.charAt(offset) === '{') offset = collectPositions(text, item.fields ?? [], offset + 1, positions)
    // Skips the comma or the end of the list.
    offset++
  }
  return offset
}

/** Converts a range of the text without white space to a range of the original text. */
const toOriginalRange = (text: string, strippedText: string, from: number, to: number): TextRange => {
  const offsets: number[] = []
  let offset = 0
  for (let index = 0; index < strippedText.length; index++) {
    while (text.charAt(offset) !== strippedText.charAt(index)) offset++
    offsets.push(offset++)
  }
  const lastOffset = offsets[to - 1]
  return { from: offsets[from] ?? text.length, to: lastOffset === undefined ? text.length : lastOffset + 1 }
}

/**
 * Finds the range of an item in the text of its expression: its name, or everything before `{`. Items are
 * counted in the order in which they occur in the text.
 */
export const findItemRange = (
  text: string,
  expression: FieldExpression,
  index: number,
  part: 'name' | 'call',
): TextRange | undefined => {
  const strippedText = stripWhiteSpace(text)
  const positions = new Map<FieldItem, ItemPosition>()
  collectPositions(strippedText, expression, 0, positions)
  const position = [...positions.values()][index]
  return (
    position &&
    toOriginalRange(text, strippedText, position.from, part === 'name' ? position.nameEnd : position.end)
  )
}

/**
 * Returns the range of the character at a position of the text without white space. At the end of the text,
 * the range is empty.
 */
export const rangeAt = (text: string, position: number): TextRange => {
  const strippedText = stripWhiteSpace(text)
  return toOriginalRange(text, strippedText, position, Math.min(position + 1, strippedText.length))
}

const isWordCharacter = (character: string): boolean => /^\w$/.test(character)

/**
 * Returns the range of the name that ends at a position of the text without white space, or of the character
 * at this position if no name ends there.
 */
export const rangeBefore = (text: string, position: number): TextRange => {
  const strippedText = stripWhiteSpace(text)
  let start = position
  while (isWordCharacter(strippedText.charAt(start - 1))) start--
  return toOriginalRange(text, strippedText, Math.min(start, position - 1), position)
}
