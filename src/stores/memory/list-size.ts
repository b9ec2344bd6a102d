/** The most edges that a list strings together before it is kept in blocks. */
export const LONGEST_CHAIN = 32

const IN_BLOCKS = 2 ** 31
const LENGTH_BITS = 6
const LENGTH_MASK = 2 ** LENGTH_BITS - 1
const MARKS = 31 - LENGTH_BITS

/**
 * What one cell holds of a list. Of one in blocks it is the length, with the highest bit set. Of a chain it is the length
 * too, and behind that a mark for each edge, decided by its key: where a key's mark is missing, no edge has that key. A
 * mark stays when its edge goes, until the chain is empty.
 */
export type ListSize = number

/** One of the bits behind the length, the same one for the same key. */
const markOf = (key: number): number =>
  1 << (LENGTH_BITS + (((Math.imul(key, 0x9e3779b1) >>> 16) * MARKS) >>> 16))

export const isInBlocks = (size: ListSize): boolean => size >= IN_BLOCKS

export const lengthOf = (size: ListSize): number =>
  size >= IN_BLOCKS ? size - IN_BLOCKS : size & LENGTH_MASK

/** Whether a list may have an edge with a key. Most chains without one tell so, and no edge need be looked at. */
export const mayHave = (size: ListSize, key: number): boolean =>
  size >= IN_BLOCKS || (size & markOf(key)) !== 0

/** With one edge more, of a key. A chain that has no room for it becomes a list in blocks. */
export const grown = (size: ListSize, key: number): ListSize => {
  if (size >= IN_BLOCKS) return size + 1
  return (size & LENGTH_MASK) === LONGEST_CHAIN ? IN_BLOCKS + LONGEST_CHAIN + 1 : (size + 1) | markOf(key)
}

/** With one edge less; where that leaves a chain of what was in blocks, it is for the caller to mark it anew. */
export const shrunk = (size: ListSize): ListSize => (size >= IN_BLOCKS || lengthOf(size) > 1 ? size - 1 : 0)
