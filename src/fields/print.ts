import type { FieldExpression, FieldItem, Modifier } from './expression.ts'

const returnArgument = ({ argument }: Modifier, _item: FieldItem): string => argument

/**
 * Prints an expression without white space, with `{…}` instead of the old `.fields(…)`. Parsing the text
 * returns the same expression. `printArgument` may replace arguments.
 */
export const printFields = (expression: FieldExpression, printArgument = returnArgument): string => {
  let text = ''
  for (const item of expression) {
    const { name, modifiers, fields } = item
    text += text === '' ? name : `,${name}`
    for (const modifier of modifiers) text += `.${modifier.name}(${printArgument(modifier, item)})`
    if (fields !== undefined) text += `{${printFields(fields, printArgument)}}`
  }
  return text
}
