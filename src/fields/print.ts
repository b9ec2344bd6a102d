import type { FieldExpression, Modifier } from './expression.ts'

const asGiven = ({ argument }: Modifier): string => argument

/**
 * Prints an expression so that parsing gives it back: without white space, the old `.fields(…)` as `{…}`. Another text may
 * stand for an argument.
 */
export const printFields = (expression: FieldExpression, argumentOf = asGiven): string => {
  let text = ''
  for (const { name, modifiers, fields } of expression) {
    text += text === '' ? name : `,${name}`
    for (const modifier of modifiers) text += `.${modifier.name}(${argumentOf(modifier)})`
    if (fields !== undefined) text += `{${printFields(fields, argumentOf)}}`
  }
  return text
}
