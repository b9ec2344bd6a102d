import type { JsonValue } from '../base/json.ts'
import { isBadValue } from '../schema/field-type.ts'
import { refTypeOf } from '../schema/ref-type.ts'
import type { Registry } from '../schema/registry.ts'
import { isStoredField } from '../schema/stored-field.ts'
import type { NodeRecord } from '../store/contract.ts'

/** Returns the record of a node as `run` receives it: its stored fields, without values that are not valid. */
export const toStoredNode = (registry: Registry, { id, type, fields: stored }: NodeRecord): NodeRecord => {
  const fields: { [name: string]: JsonValue } = {}
  for (const [name, field] of Object.entries(registry.getType(type)?.fields ?? {})) {
    const value = Object.hasOwn(stored, name) ? stored[name] : undefined
    if (value === undefined || value === null || !isStoredField(field)) continue
    const valueType = field.kind === 'value' ? field.type : refTypeOf(registry.ids.kind)
    if (!isBadValue(valueType, value)) fields[name] = value
  }
  return Object.freeze({ id, type, fields: Object.freeze(fields) })
}
