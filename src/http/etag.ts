const PRIMES = [0x9e3779b1, 0x85ebca77] as const
const AVALANCHE = 0xc2b2ae3d
const HEX = 16
const DIGITS = 8
const WORD = 4

/** Bytes as words of four, filled up with zeros. */
const wordsOf = (bytes: Uint8Array): Uint32Array => {
  if (bytes.length % WORD === 0 && bytes.byteOffset % WORD === 0)
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD)
  const filled = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD)
  filled.set(bytes)
  return new Uint32Array(filled.buffer)
}

const hex = (word: number): string => {
  const mixed = Math.imul(word ^ (word >>> 15), AVALANCHE)
  return ((mixed ^ (mixed >>> 13)) >>> 0).toString(HEX).padStart(DIGITS, '0')
}

/**
 * A strong validator of a body: 64 bits of all its words, and its length. It keeps nothing secret and proves nothing: it
 * tells a client that what it has is what it would get, and is made for every answer, so that it has to be quick.
 */
export const etagOf = (bytes: Uint8Array): string => {
  const [left, right] = PRIMES
  let a: number = left
  let b: number = right
  for (const word of wordsOf(bytes)) {
    a = Math.imul(a ^ word, right)
    b = (Math.imul(b, left) + a) | 0
    b ^= b >>> 15
  }
  return `"${hex(a)}${hex(b)}${bytes.length.toString(HEX)}"`
}

/** Whether a client that names what it has in `If-None-Match` has this. */
export const isKnown = (condition: string | undefined, etag: string): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some(one => one.trim().replace(/^W\//, '') === etag))
