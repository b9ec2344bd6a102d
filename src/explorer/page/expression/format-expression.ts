import type { FieldExpression, FieldItem } from '../../../fields/expression.ts'
import { printFields } from '../../../fields/print.ts'

const MAX_WIDTH = 44

const formatItem = (item: FieldItem, indent: string): string => {
  const line = printFields([item])
  if (item.fields === undefined || indent.length + line.length <= MAX_WIDTH) return indent + line
  const head = printFields([{ ...item, fields: undefined }])
  return `${indent}${head}{\n${formatItems(item.fields, `${indent}  `)}\n${indent}}`
}

const formatItems = (expression: FieldExpression, indent: string): string =>
  expression.map(item => formatItem(item, indent)).join(',\n')

/**
 * Formats an expression for reading: on one line if it is short, otherwise with one item per line. Parsing
 * the result gives the same expression.
 */
export const formatExpression = (expression: FieldExpression): string => {
  const line = printFields(expression)
  return line.length <= MAX_WIDTH ? line : formatItems(expression, '')
}
