import type { FieldExpression, FieldItem } from '../../../fields/expression.ts'
import { printFields } from '../../../fields/print.ts'

const WIDTH = 44

const layItem = (item: FieldItem, indent: string): string => {
  const line = printFields([item])
  if (item.fields === undefined || indent.length + line.length <= WIDTH) return indent + line
  const head = printFields([{ ...item, fields: undefined }])
  return `${indent}${head}{\n${layItems(item.fields, `${indent}  `)}\n${indent}}`
}

const layItems = (expression: FieldExpression, indent: string): string =>
  expression.map(item => layItem(item, indent)).join(',\n')

/** Prints an expression for people: on one line where it is short, else an item a line. Parsing gives it back. */
export const layOut = (expression: FieldExpression): string => {
  const line = printFields(expression)
  return line.length <= WIDTH ? line : layItems(expression, '')
}
