import { describe } from '../base/describe.ts'

/** One name or a list of them, as a list. */
export const namesOf = (place: string, names: unknown): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(names) ? names : [names]
  if (list.length > 0 && list.every(name => typeof name === 'string')) return Object.freeze([...list])
  throw new TypeError(`${place}: expected the name of a type or a list of them, came ${describe(names)}`)
}
