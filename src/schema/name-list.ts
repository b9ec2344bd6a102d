import { describeValue } from '../base/describe.ts'
import { usageError } from '../base/usage-error.ts'

/** Converts one name or an array of names to a frozen array. */
export const toNameList = (location: string, names: unknown): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(names) ? names : [names]
  if (list.length > 0 && list.every(name => typeof name === 'string')) return Object.freeze([...list])
  throw usageError(location, 'targets', 'the name of a type or an array of names', describeValue(names))
}
