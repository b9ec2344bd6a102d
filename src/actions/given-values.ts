import { isPlainObject } from '../base/json.ts'
import { countValues } from '../base/json-scan.ts'
import type { ActionValue } from '../execute/action-runtime.ts'
import { parseJson } from '../plan/arguments.ts'
import type { Parameter, Parameters } from '../schema/parameter.ts'

/** Returns a given value, as text or as any value. */
export const givenValueOf = (given: ActionValue): unknown =>
  given.kind === 'text' ? given.text : given.value

/** Returns a given value, or `undefined` for one that counts as not given: `''`, except for a text. */
export const presentOf = (given: ActionValue | undefined, { kind }: Parameter): ActionValue | undefined => {
  if (given === undefined) return undefined
  const value = givenValueOf(given)
  return value === undefined || (value === '' && kind !== 'string') ? undefined : given
}

const toJsonValue = (value: unknown): ActionValue => ({ kind: 'json', value })

/** The maximum number of values in the text of a list or an object. Handlers count the values of JSON bodies. */
const MAX_VALUES = 10_000

/** Parses JSON. Returns `undefined` for other text, and for more values than a text may have. */
const parseBounded = (text: string): unknown =>
  countValues(text, MAX_VALUES) > MAX_VALUES ? undefined : parseJson(text)

/** Returns the items in the text of a list, or `undefined` if there are too many, or it begins like JSON and is not. */
const readItemsOfText = (text: string): readonly ActionValue[] | undefined => {
  if (text.trimStart().startsWith('[')) {
    const parsed = parseBounded(text)
    return Array.isArray(parsed) ? parsed.map(toJsonValue) : undefined
  }
  const items = text.split(',', MAX_VALUES + 1)
  return items.length > MAX_VALUES ? undefined : items.map(item => ({ kind: 'text', text: item }))
}

/**
 * Returns the items of a given list, or `undefined` if it is not a list. A text is a JSON array, or values with commas
 * between them.
 */
export const readItems = (given: ActionValue): readonly ActionValue[] | undefined => {
  if (given.kind === 'text') return readItemsOfText(given.text)
  const { kind, value } = given
  // `map` would skip the holes of an array.
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => ({ kind, value: item }))
  return kind === 'json' && typeof value === 'string' ? readItemsOfText(value) : undefined
}

/** Returns the members of a given object, or `undefined` if it is not an object. A text is JSON. */
export const readMembers = (given: ActionValue): ReadonlyMap<string, ActionValue> | undefined => {
  const isText = given.kind === 'text'
  const value = isText ? parseBounded(given.text) : given.value
  const kind = isText ? 'json' : given.kind
  if (!isText && kind === 'json' && typeof value === 'string')
    return readMembers({ kind: 'text', text: value })
  if (!isPlainObject(value)) return undefined
  return new Map(Object.entries(value).map(([name, member]) => [name, { kind, value: member }]))
}

/** An id that a call gives for a parameter, and the types that its node may have. */
export type GivenId = { readonly id: unknown; readonly types: readonly string[] }

function* iterateIdsOf(parameter: Parameter, value: ActionValue | undefined): Generator<GivenId> {
  const { kind, types = [], forActions: { items, members } = {} } = parameter
  const given = presentOf(value, parameter)
  if (given === undefined || givenValueOf(given) === null) return
  if (kind === 'node') yield { id: givenValueOf(given), types }
  else if (items !== undefined) for (const item of readItems(given) ?? []) yield* iterateIdsOf(items, item)
  else if (members !== undefined) yield* iterateGivenIds(members, readMembers(given) ?? new Map())
}

/** Iterates over the ids that a call gives for nodes, as they are given: in any form, and with repetitions. */
export function* iterateGivenIds(
  declared: Parameters,
  given: ReadonlyMap<string, ActionValue>,
): Generator<GivenId> {
  for (const [name, parameter] of Object.entries(declared)) yield* iterateIdsOf(parameter, given.get(name))
}
