import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { stripWhiteSpace } from '../fields/strip.ts'

/** A part of a text: from an index up to, not including, another. */
export type TextRange = { readonly from: number; readonly to: number }

/** Where an item stands in an expression without white space: its name, and its name with all modifiers. */
type ItemPlace = { readonly from: number; readonly nameEnd: number; readonly end: number }

const FIELDS = '.fields('

/** Notes where the items of a list stand that begins at `start`, and answers where the list ends. */
const measure = (
  text: string,
  items: FieldExpression,
  start: number,
  places: Map<FieldItem, ItemPlace>,
): number => {
  let at = start
  for (const item of items) {
    const from = at
    at += item.name.length
    const nameEnd = at
    const modifiers = item.modifiers.values()
    // Inner lists come behind their item, as everywhere else.
    places.set(item, { from, nameEnd, end: nameEnd })
    while (text.charAt(at) === '.') {
      if (text.startsWith(FIELDS, at)) {
        at = measure(text, item.fields ?? [], at + FIELDS.length, places)
        continue
      }
      const { name = '', argument = '' } = modifiers.next().value ?? {}
      at += `.${name}(${argument})`.length
    }
    places.set(item, { from, nameEnd, end: at })
    if (text.charAt(at) === '{') at = measure(text, item.fields ?? [], at + 1, places)
    // The comma, or what closes the list.
    at++
  }
  return at
}

/** A range of the text without white space as one of the text that it was made of. */
const rangeIn = (text: string, stripped: string, from: number, to: number): TextRange => {
  const positions: number[] = []
  let at = 0
  for (let index = 0; index < stripped.length; index++) {
    while (text.charAt(at) !== stripped.charAt(index)) at++
    positions.push(at++)
  }
  const last = positions[to - 1]
  return { from: positions[from] ?? text.length, to: last === undefined ? text.length : last + 1 }
}

/** Where an item stands in the text of its expression, counted in the order of the text: its name, or all before `{`. */
export const rangeOfItem = (
  text: string,
  expression: FieldExpression,
  count: number,
  part: 'name' | 'call',
): TextRange | undefined => {
  const stripped = stripWhiteSpace(text)
  const places = new Map<FieldItem, ItemPlace>()
  measure(stripped, expression, 0, places)
  const place = [...places.values()][count]
  return place && rangeIn(text, stripped, place.from, part === 'name' ? place.nameEnd : place.end)
}

/** The character at a position of the text without white space; nothing at its end. */
export const rangeAt = (text: string, position: number): TextRange => {
  const stripped = stripWhiteSpace(text)
  return rangeIn(text, stripped, position, Math.min(position + 1, stripped.length))
}

const isWordCharacter = (character: string): boolean => /^\w$/.test(character)

/** The name that ends at a position of the text without white space, or else the character that does. */
export const rangeBefore = (text: string, position: number): TextRange => {
  const stripped = stripWhiteSpace(text)
  let start = position
  while (isWordCharacter(stripped.charAt(start - 1))) start--
  return rangeIn(text, stripped, Math.min(start, position - 1), position)
}
