import type { FieldExpression, FieldItem } from '../../../fields/expression.ts'

const findItem = (expression: FieldExpression, name: string): FieldItem | undefined =>
  expression.find(item => item.key === name) ?? expression.find(item => item.name === name)

/** Finds the item at a path of names. Prefers an item without an alias. */
export const findItemAt = (expression: FieldExpression, path: readonly string[]): FieldItem | undefined => {
  const [name = '', ...rest] = path
  const item = findItem(expression, name)
  return rest.length === 0 ? item : findItemAt(item?.fields ?? [], rest)
}

/** Adds the item at a path of names, and all items on the way to it. */
export const selectField = (expression: FieldExpression, path: readonly string[]): FieldExpression => {
  const [name, ...rest] = path
  if (name === undefined) return expression
  const item = findItem(expression, name)
  const known = item ?? { name, key: name, modifiers: [], fields: undefined }
  const selected = rest.length === 0 ? known : { ...known, fields: selectField(known.fields ?? [], rest) }
  return item === undefined
    ? [...expression, selected]
    : expression.map(other => (other === item ? selected : other))
}

/** Removes the item at a path of names, and braces that would then be empty. */
export const deselectField = (expression: FieldExpression, path: readonly string[]): FieldExpression => {
  const [name = '', ...rest] = path
  const item = findItem(expression, name)
  if (item === undefined) return expression
  if (rest.length === 0) return expression.filter(other => other !== item)
  const fields = deselectField(item.fields ?? [], rest)
  const remaining = { ...item, fields: fields.length === 0 ? undefined : fields }
  return expression.map(other => (other === item ? remaining : other))
}
