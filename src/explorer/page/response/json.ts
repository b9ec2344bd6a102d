import { hasIdForm } from '../../../base/id-form.ts'
import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'

/** Returns the text at a path of names, if any. */
export const textAt = (value: JsonValue | undefined, ...path: readonly string[]): string | undefined => {
  const found = path.reduce<JsonValue | undefined>(
    (current, name) => (isNonArrayObject(current) ? current[name] : undefined),
    value,
  )
  return typeof found === 'string' ? found : undefined
}

/** Returns the id of a value in a response, if the value is a node. */
export const nodeIdOf = (value: JsonValue | undefined): string | undefined => {
  const id = textAt(value, 'id')
  return id !== undefined && hasIdForm(id) && !id.startsWith('0') ? id : undefined
}

/** Returns the entries of a value in a response, if the value is a page. */
export const pageEntriesOf = (value: JsonValue | undefined): readonly JsonValue[] | undefined => {
  const data = isNonArrayObject(value) ? value.data : undefined
  return Array.isArray(data) ? (data satisfies readonly JsonValue[]) : undefined
}
