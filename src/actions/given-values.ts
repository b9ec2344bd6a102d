import { isPlainObject } from '../base/json.ts'
import { countValues } from '../base/json-scan.ts'
import type { ActionValue } from '../execute/action-runtime.ts'
import { tooManyIdsError } from '../execute/root-nodes.ts'
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

/** Whether a value of a parameter may contain ids of nodes. */
const mayContainIds = ({ kind, forActions: { items, members = {} } = {} }: Parameter): boolean =>
  kind === 'node' ||
  (items !== undefined && mayContainIds(items)) ||
  Object.values(members).some(mayContainIds)

/** Collects the ids that a call gives for nodes, as they are given: in any form, and with repetitions. */
export class GivenIdCollector {
  readonly #ids: GivenId[] = []
  readonly #maxIds: number
  /** A short text can have very many items, and the token has not been checked yet. */
  #remainingItems = MAX_VALUES

  constructor(maxIds: number) {
    this.#maxIds = maxIds
  }

  /** @throws GraphError `too_many_ids`, also for lists of nodes that have far more items than a call may have ids. */
  collectAll(declared: Parameters, given: ReadonlyMap<string, ActionValue>): readonly GivenId[] {
    this.#collectMembers(declared, given)
    if (this.#ids.length > this.#maxIds) throw tooManyIdsError(this.#maxIds, this.#ids.length)
    return this.#ids
  }

  #collectMembers(declared: Parameters, given: ReadonlyMap<string, ActionValue>): void {
    for (const [name, parameter] of Object.entries(declared)) this.#collect(parameter, given.get(name))
  }

  #collect(parameter: Parameter, value: ActionValue | undefined): void {
    const { kind, types = [], forActions: { items, members } = {} } = parameter
    const given = mayContainIds(parameter) ? presentOf(value, parameter) : undefined
    if (given === undefined || givenValueOf(given) === null) return
    if (kind === 'node') this.#ids.push({ id: givenValueOf(given), types })
    else if (items !== undefined) this.#collectItems(items, readItems(given) ?? [])
    else if (members !== undefined) this.#collectMembers(members, readMembers(given) ?? new Map())
  }

  #collectItems(of: Parameter, items: readonly ActionValue[]): void {
    this.#remainingItems -= items.length
    if (this.#remainingItems < 0) throw tooManyIdsError(this.#maxIds, this.#ids.length + items.length)
    for (const item of items) this.#collect(of, item)
  }
}
