const PRIMES = [0x9e3779b1, 0x85ebca77] as const
const AVALANCHE = 0xc2b2ae3d
const HEX = 16
const DIGITS = 8

const hex = (word: number): string => (word >>> 0).toString(HEX).padStart(DIGITS, '0')

const settled = (word: number): number => {
  const mixed = Math.imul(word ^ (word >>> 15), AVALANCHE)
  return mixed ^ (mixed >>> 13)
}

/**
 * A strong validator of a body: 64 bits of its characters, and its length. It keeps nothing secret and proves nothing: it
 * tells a client that what it has is what it would get, and is made for every answer, so that it has to be quick.
 */
export const etagOf = (body: string): string => {
  const [left, right] = PRIMES
  let a: number = left
  let b: number = right
  for (let index = 0; index < body.length; index++) {
    const unit = body.charCodeAt(index)
    a = Math.imul(a ^ unit, right)
    b = Math.imul(b ^ unit, left)
    b ^= b >>> 16
  }
  return `"${hex(settled(a))}${hex(settled(b ^ (a >>> 16)))}${body.length.toString(HEX)}"`
}

/** Whether a client that names what it has in `If-None-Match` has this. */
export const isKnown = (condition: string | undefined, etag: string): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some(one => one.trim().replace(/^W\//, '') === etag))
