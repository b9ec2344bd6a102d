import { isDigitsId, type NodeId } from '../base/ids.ts'

/**
 * The beginnings of the named ids for ids of 1, 2, 3 and more digits, in the order of bytes. The prefixes are
 * ordered around each other: `thing2-` is after `thing-`, and `thing_-` after `thing2-`.
 */
const HEADS = ['thing-', 'thing2-', 'thing_-', ...Array.from('ABMNXZabcmnopxyz', key => `things-${key}~`)]

/**
 * The texts for the digits, in the order of bytes. Naive comparisons find another order: `10` and `9` as numbers,
 * `Z` and `a` without case. `B` and `b` differ only in their case.
 */
const TOKENS = ['-', '.20', '10', '9', 'B', 'Z', '_', 'a', 'b', 'tr.c3.a8s']
const TOKEN_PATTERN = /-|\.20|10|9|B|Z|_|a|b|tr\.c3\.a8s/g

/**
 * Returns the named id for an id of digits; any other text is returned unchanged. Each id has its own, and their
 * order stays the same, so that tests with ids of digits can run on a store of named ids.
 */
export const toNamedId = (id: NodeId): NodeId =>
  isDigitsId(id) ? `${HEADS[id.length - 1]}${Array.from(id, digit => TOKENS[Number(digit)]).join('')}` : id

/** Returns the id of digits for a named id that `toNamedId` returned; any other text is returned unchanged. */
export const toDigitsId = (id: NodeId): NodeId => {
  const head = HEADS.find(head => id.startsWith(head))
  if (head === undefined) return id
  const tokens = id.slice(head.length).match(TOKEN_PATTERN) ?? []
  const digits = tokens.map(token => TOKENS.indexOf(token)).join('')
  return toNamedId(digits) === id ? digits : id
}
