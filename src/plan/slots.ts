import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { printFields } from '../fields/print.ts'

/** The modifiers whose values differ from page to page. */
const SLOTS = new Set(['after', 'before', 'since', 'until'])

/**
 * The values that differ from page to page, and the text of the expression without them: each argument becomes the index
 * of its value.
 */
export const templateOf = (
  expression: FieldExpression,
): { readonly text: string; readonly values: readonly string[] } => {
  const values: string[] = []
  const text = printFields(expression, ({ name, argument }) =>
    SLOTS.has(name) ? `${values.push(argument) - 1}` : argument,
  )
  return { text, values }
}

/** Whether an item, or one below it, has such a value. */
export const hasSlots = (item: FieldItem): boolean =>
  item.modifiers.some(modifier => SLOTS.has(modifier.name)) || (item.fields?.some(hasSlots) ?? false)

/** Puts the values back. */
export const putValues = (expression: FieldExpression, values: readonly string[]): FieldExpression =>
  expression.map(item => ({
    ...item,
    modifiers: item.modifiers.map(modifier =>
      SLOTS.has(modifier.name)
        ? { name: modifier.name, argument: values[Number(modifier.argument)] ?? '' }
        : modifier,
    ),
    fields: item.fields && putValues(item.fields, values),
  }))
