import type { JsonValue } from '../base/json.ts'
import type {
  AheadResult,
  AheadStep,
  NodeRecord,
  RangeResult,
  ReadAhead,
  StoreReadRequest,
  StoreReadResult,
  WantedFields,
} from './contract.ts'

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

/** Returns the fields that at least one of two reads needs. */
export const joinFields = (first: WantedFields, second: WantedFields): WantedFields => {
  if (first === second) return first
  return (first instanceof FieldsByType ? first : new FieldsByType(first)).join(second)
}

/** Returns the fields that at least one of two reads needs. `undefined` stands for all fields of all types. */
export const joinWantedFields = (
  first: WantedFields | undefined,
  second: WantedFields | undefined,
): WantedFields | undefined =>
  first === undefined || second === undefined ? undefined : joinFields(first, second)

/** Returns a record with only the fields that a read needs of its type. */
const pickWantedFields = (record: NodeRecord, wantedFields: WantedFields): NodeRecord => {
  const { type, fields } = record
  const names = wantedFields.get(type)
  if (names === undefined && wantedFields.has(type)) return record
  const wanted = Object.entries(fields).filter(([name]) => names?.has(name) === true)
  return { ...record, fields: Object.fromEntries<JsonValue>(wanted) }
}

/** Returns a record with only the fields that are needed of it, and of the records that were read ahead. */
const pickRecord = (
  record: NodeRecord,
  fields: WantedFields | undefined,
  hint: ReadAhead | undefined,
): NodeRecord => {
  const picked = fields === undefined ? record : pickWantedFields(record, fields)
  const steps = hint?.get(record.type)
  if (record.ahead === undefined || steps === undefined) return picked
  return { ...picked, ahead: record.ahead.map((result, index) => pickAhead(result, steps[index])) }
}

const pickAhead = (result: AheadResult, step: AheadStep | undefined): AheadResult => {
  if (result == null || step === undefined) return result
  if ('node' in result) return { node: result.node && pickRecord(result.node, step.fields, step.ahead) }
  return pickEntries(result, step.fields, step.ahead)
}

const pickEntries = (
  result: RangeResult,
  fields: WantedFields | undefined,
  hint: ReadAhead | undefined,
): RangeResult => ({
  ...result,
  entries: result.entries.map(entry => ({ ...entry, node: pickRecord(entry.node, fields, hint) })),
})

/** Returns a result with only the fields that its request needs. */
export const withWantedFields = (
  result: StoreReadResult,
  { fields, nodesAhead, ranges }: Pick<StoreReadRequest, 'fields' | 'nodesAhead' | 'ranges'>,
): StoreReadResult => ({
  ...result,
  nodes: result.nodes.map((node, index) => node && pickRecord(node, fields, nodesAhead?.[index])),
  ranges: result.ranges.map((range, index) => pickEntries(range, fields, ranges[index]?.ahead)),
})
