import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { printFields } from '../fields/print.ts'

/** The modifiers whose values differ between pages. */
const SLOT_MODIFIERS = new Set(['after', 'before', 'since', 'until'])

/**
 * Returns the values that differ between pages, and the text of the expression with an index in place of each
 * of these values.
 */
export const templateOf = (
  expression: FieldExpression,
): { readonly text: string; readonly values: readonly string[] } => {
  const values: string[] = []
  const text = printFields(expression, ({ name, argument }) =>
    SLOT_MODIFIERS.has(name) ? `${values.push(argument) - 1}` : argument,
  )
  return { text, values }
}

/** Whether an item, or an item below it, has a value that differs between pages. */
export const hasSlots = (item: FieldItem): boolean =>
  item.modifiers.some(modifier => SLOT_MODIFIERS.has(modifier.name)) || (item.fields?.some(hasSlots) ?? false)

/** Replaces the indexes in a template with their values. */
export const fillSlots = (expression: FieldExpression, values: readonly string[]): FieldExpression =>
  expression.map(item => ({
    ...item,
    modifiers: item.modifiers.map(modifier =>
      SLOT_MODIFIERS.has(modifier.name)
        ? { name: modifier.name, argument: values[Number(modifier.argument)] ?? '' }
        : modifier,
    ),
    fields: item.fields && fillSlots(item.fields, values),
  }))
