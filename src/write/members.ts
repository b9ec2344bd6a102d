import { describe } from '../base/describe.ts'
import { isRecord } from '../base/json.ts'
import { suggest } from '../base/suggest.ts'
import { Mismatch } from '../schema/field-type.ts'

/** The members of a value that a caller wrote; nothing is known of them yet. */
export type Members = { readonly [name: string]: unknown }

const SHORT_WORD = /^\w{1,60}$/

/** The path of a member: bounded and legible whatever its name. */
export const pathOf = (place: string, name: string): string => {
  if (!SHORT_WORD.test(name)) return `${place}[${describe(name)}]`
  return place === '' ? name : `${place}.${name}`
}

/** A name that nothing has: what it should have been the name of, with the near ones, or else with all there are. */
export const unknownName = (path: string, what: string, name: unknown, known: Iterable<string>): Mismatch => {
  const all = [...known]
  const near = typeof name === 'string' ? suggest(name, all) : []
  if (near.length > 0) return new Mismatch(`${what} such as ${near.join(' or ')}`, name, path)
  return new Mismatch(
    all.length > 0 ? `${what}: ${all.join(', ')}` : `${what}, and there is none`,
    name,
    path,
  )
}

/** Refuses what is no plain object. @throws a {@link Mismatch}. */
export const recordOf = (value: unknown, place: string, expected: string): Members => {
  if (!isRecord(value)) throw new Mismatch(expected, value, place)
  return value
}

/** Refuses what is no plain object or has a member that nobody would read. @throws a {@link Mismatch}. */
export const membersOf = (value: unknown, place: string, known: readonly string[]): Members => {
  const members = recordOf(value, place, `an object with ${known.join(', ')}`)
  // `Object.keys` would make a list of each record's members, only to find nothing wrong with them.
  for (const name in members) {
    if (known.includes(name) || !Object.hasOwn(members, name)) continue
    throw unknownName(pathOf(place, name), 'a member', name, known)
  }
  return members
}
