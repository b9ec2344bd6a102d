import type { Json } from './json.ts'

const MANY = 200

/** The values in a value, counted no further than `most`. */
const sizeOf = (value: Json, most: number): number => {
  if (typeof value !== 'object' || value === null) return 1
  let size = 1
  for (const member of Object.values(value)) {
    if (size > most) break
    size += sizeOf(member, most - size)
  }
  return size
}

/** Whether a part of an answer is shown open at first: what is near the top, and what is small. */
export const shouldOpen = (name: string, value: Json, depth: number): boolean => {
  if (name === 'metadata' || name === 'cursors') return false
  return depth < 3 || sizeOf(value, MANY) <= MANY
}
