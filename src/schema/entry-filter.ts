import type { JsonObject } from '../base/json.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { ParameterValues } from './parameter.ts'

/** An entry of a list, as a filter receives it. */
export type FilterEntry = {
  /** The stored values of the edge's own fields without scope, or `{}` without values. */
  readonly data: JsonObject
  /** The time of the edge in milliseconds since the epoch. */
  readonly time: number
  /** The target, with only the fields that the edge names in `reads`. */
  readonly target: NodeRecord
}

/**
 * Whether a list contains an entry for the given parameters. The function is pure. An entry for which it
 * throws, or does not return a boolean, is left out and reported as an event.
 */
export type EntryFilter<TValues = ParameterValues> = (entry: FilterEntry, parameters: TValues) => boolean
