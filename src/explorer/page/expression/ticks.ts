import type { FieldExpression, FieldItem } from '../../../fields/expression.ts'

const itemOf = (expression: FieldExpression, name: string): FieldItem | undefined =>
  expression.find(item => item.key === name) ?? expression.find(item => item.name === name)

/** The item that a path of names leads to: one that is called otherwise in the answer where no other is there. */
export const itemAt = (expression: FieldExpression, path: readonly string[]): FieldItem | undefined => {
  const [name = '', ...rest] = path
  const item = itemOf(expression, name)
  return rest.length === 0 ? item : itemAt(item?.fields ?? [], rest)
}

/** Asks for what a path of names leads to, and for all on the way there. */
export const tick = (expression: FieldExpression, path: readonly string[]): FieldExpression => {
  const [name, ...rest] = path
  if (name === undefined) return expression
  const item = itemOf(expression, name)
  const known = item ?? { name, key: name, modifiers: [], fields: undefined }
  const asked = rest.length === 0 ? known : { ...known, fields: tick(known.fields ?? [], rest) }
  return item === undefined
    ? [...expression, asked]
    : expression.map(other => (other === item ? asked : other))
}

/** Asks no longer for what a path of names leads to. Braces that would be left empty go with it. */
export const untick = (expression: FieldExpression, path: readonly string[]): FieldExpression => {
  const [name = '', ...rest] = path
  const item = itemOf(expression, name)
  if (item === undefined) return expression
  if (rest.length === 0) return expression.filter(other => other !== item)
  const fields = untick(item.fields ?? [], rest)
  const left = { ...item, fields: fields.length === 0 ? undefined : fields }
  return expression.map(other => (other === item ? left : other))
}
