import type { JsonValue } from '../base/json.ts'
import type { NodeRecord, StoreReadRequest, StoreReadResult, WantedFields } from './contract.ts'

type FieldNames = ReadonlySet<string> | undefined

const joinNames = (first: FieldNames, second: FieldNames): FieldNames =>
  first === undefined || second === undefined ? undefined : new Set([...first, ...second])

/**
 * Wanted fields that a schema or a plan creates once, and that many reads send. It keeps its joins with other
 * wanted fields, because the reads of a plan are joined in the same way in every call.
 */
export class FieldsByType extends Map<string, FieldNames> implements WantedFields {
  #joins: WeakMap<WantedFields, WantedFields> | undefined

  /** Returns the fields that at least one of two reads needs. */
  join(other: WantedFields): WantedFields {
    const known = this.#joins?.get(other)
    if (known !== undefined) return known
    const joined = new FieldsByType(this)
    for (const [type, names] of other)
      joined.set(type, joined.has(type) ? joinNames(joined.get(type), names) : names)
    this.#joins ??= new WeakMap()
    this.#joins.set(other, joined)
    return joined
  }
}

/** Returns the fields that at least one of two reads needs. `undefined` stands for all fields of all types. */
export const joinWantedFields = (
  first: WantedFields | undefined,
  second: WantedFields | undefined,
): WantedFields | undefined => {
  if (first === second || first === undefined || second === undefined) return first && second
  return (first instanceof FieldsByType ? first : new FieldsByType(first)).join(second)
}

/** Returns a record with only the fields that a read needs of its type. */
export const pickWantedFields = (record: NodeRecord, wantedFields: WantedFields): NodeRecord => {
  const { id, type, fields } = record
  const names = wantedFields.get(type)
  if (names === undefined && wantedFields.has(type)) return record
  const wanted = Object.entries(fields).filter(([name]) => names?.has(name) === true)
  return { id, type, fields: Object.fromEntries<JsonValue>(wanted) }
}

/** Returns a result with only the fields that its request needs. */
export const withWantedFields = (
  result: StoreReadResult,
  { fields }: Pick<StoreReadRequest, 'fields'>,
): StoreReadResult => {
  if (fields === undefined) return result
  return {
    ...result,
    nodes: result.nodes.map(node => node && pickWantedFields(node, fields)),
    ranges: result.ranges.map(range => ({
      ...range,
      entries: range.entries.map(entry => ({ ...entry, node: pickWantedFields(entry.node, fields) })),
    })),
  }
}
