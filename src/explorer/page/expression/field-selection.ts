import type { FieldExpression, FieldItem } from '../../../fields/expression.ts'

const findItem = (expression: FieldExpression, name: string): FieldItem | undefined =>
  expression.find(item => item.key === name) ?? expression.find(item => item.name === name)

/** Finds the item at a path of names. Prefers an item without an alias. */
export const findItemAt = (expression: FieldExpression, path: readonly string[]): FieldItem | undefined => {
  const [name = '', ...subpath] = path
  const item = findItem(expression, name)
  return subpath.length === 0 ? item : findItemAt(item?.fields ?? [], subpath)
}

/** Adds the item at a path of names, and all items on the way to it. */
export const selectField = (expression: FieldExpression, path: readonly string[]): FieldExpression => {
  const [name, ...subpath] = path
  if (name === undefined) return expression
  const item = findItem(expression, name)
  const baseItem = item ?? { name, key: name, modifiers: [], fields: undefined }
  const updatedItem =
    subpath.length === 0 ? baseItem : { ...baseItem, fields: selectField(baseItem.fields ?? [], subpath) }
  return item === undefined
    ? [...expression, updatedItem]
    : expression.map(other => (other === item ? updatedItem : other))
}

/** Removes the item at a path of names, and braces that would then be empty. */
export const deselectField = (expression: FieldExpression, path: readonly string[]): FieldExpression => {
  const [name = '', ...subpath] = path
  const item = findItem(expression, name)
  if (item === undefined) return expression
  if (subpath.length === 0) return expression.filter(other => other !== item)
  const fields = deselectField(item.fields ?? [], subpath)
  const updatedItem = { ...item, fields: fields.length === 0 ? undefined : fields }
  return expression.map(other => (other === item ? updatedItem : other))
}
