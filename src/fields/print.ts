import type { FieldExpression, FieldItem } from './expression.ts'

const printItem = ({ name, modifiers, fields }: FieldItem): string => {
  const calls = modifiers.map(modifier => `.${modifier.name}(${modifier.argument})`).join('')
  return `${name}${calls}${fields === undefined ? '' : `{${printFields(fields)}}`}`
}

/** Prints an expression so that parsing gives it back: without white space, the old `.fields(…)` as `{…}`. */
export const printFields = (expression: FieldExpression): string => expression.map(printItem).join(',')
