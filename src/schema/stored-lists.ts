import { describeValue } from '../base/describe.ts'
import { isText, type JsonValue } from '../base/json.ts'
import { isName } from '../base/names.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import { finiteValuesOf, type Parameters, type ParameterValues } from './parameter.ts'

/** The function of an edge that returns the name of the stored list for the values of parameters. */
export type ListFunction = (values: ParameterValues) => string

/** The stored lists of an edge: one name for each combination of the values of `parameters`. */
export type StoredLists = {
  /** The names of the parameters that choose the list, in ascending order. */
  readonly parameters: readonly string[]
  /** The names of the lists, by the key of the values. */
  readonly names: ReadonlyMap<string, string>
}

/** The maximum number of combinations, so that a schema is defined in little time. */
const MAX_COMBINATIONS = 64

const LOCATION = 'edge.list'

/** Returns the key of the values of some parameters. */
const keyOf = (names: readonly string[], values: ParameterValues): string => {
  const [onlyName] = names
  if (onlyName === undefined || names.length > 1)
    return JSON.stringify(names.map(name => values[name] ?? null))
  // Most edges have one such parameter, and each call computes a key.
  const value = values[onlyName]
  return value === undefined ? '' : `=${value}`
}

/** Returns the values that `list` may receive for a parameter. */
const possibleValuesOf = (parameters: Parameters, name: string): readonly (JsonValue | undefined)[] => {
  const declared = parameters[name]
  const values = declared && finiteValuesOf(declared)
  if (declared === undefined || values === undefined)
    throw usageErrorAbout(LOCATION, 'each parameter of the list', 'an enum or a bool', describeValue(name))
  return declared.required || declared.default !== undefined ? values : [...values, undefined]
}

const combine = (parameters: Parameters, names: readonly string[]): readonly ParameterValues[] => {
  let combinations: readonly ParameterValues[] = [{}]
  for (const name of names) {
    const possibleValues = possibleValuesOf(parameters, name)
    combinations = combinations.flatMap(values => possibleValues.map(value => ({ ...values, [name]: value })))
    if (combinations.length > MAX_COMBINATIONS)
      throw usageErrorAbout(
        LOCATION,
        'the number of combinations',
        `at most ${MAX_COMBINATIONS}`,
        `${combinations.length}`,
      )
  }
  return combinations
}

/** Returns an object whose getters report the parameters that a function reads. */
const createWatchedValues = (
  parameters: Parameters,
  values: ParameterValues,
  onRead: (name: string) => void,
): ParameterValues =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      Object.keys(parameters).map(name => [
        name,
        {
          enumerable: true,
          get: () => {
            onRead(name)
            return Object.hasOwn(values, name) ? values[name] : possibleValuesOf(parameters, name)[0]
          },
        },
      ]),
    ),
  )

const toListName = (name: unknown, values: ParameterValues): string => {
  const isUnset = Object.values(values).includes(undefined)
  if (isUnset && isText(name) && name.includes('undefined'))
    throw usageErrorAbout(
      LOCATION,
      `the result for ${JSON.stringify(values)}`,
      'a name without "undefined", which is the value of a parameter without a default',
      describeValue(name),
    )
  if (isText(name) && isName(name)) return name
  throw usageErrorAbout(
    LOCATION,
    `the result for ${JSON.stringify(values)}`,
    'a name made of a-z, 0-9 and _ that begins with a letter and is not reserved',
    describeValue(name),
  )
}

/**
 * Calls the function `list` of an edge for each combination of the parameters that it reads.
 *
 * @throws TypeError if `list` reads a parameter whose values are not finite, if there are more than 64
 * combinations, or if a result is not a valid name.
 */
export const createStoredLists = (parameters: Parameters, list: ListFunction): StoredLists => {
  const readNames = new Set<string>()
  for (;;) {
    const names = [...readNames].sort()
    const listNames = new Map<string, string>()
    for (const values of combine(parameters, names)) {
      const name: unknown = list(createWatchedValues(parameters, values, read => readNames.add(read)))
      // After a parameter is read for the first time, all combinations are computed again.
      if (readNames.size === names.length) listNames.set(keyOf(names, values), toListName(name, values))
    }
    if (readNames.size === names.length) return Object.freeze({ parameters: names, names: listNames })
  }
}

/** Returns the name of the stored list of an edge for the given values, with defaults. */
export const storedListOf = (
  { lists }: { readonly lists: StoredLists | undefined },
  edge: string,
  values: ParameterValues,
): string => {
  if (lists === undefined) return edge
  const list = lists.names.get(keyOf(lists.parameters, values))
  if (list === undefined) throw new Error(`The edge ${edge} has no list for ${JSON.stringify(values)}`)
  return list
}
