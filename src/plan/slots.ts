import type { FieldExpression, FieldItem } from '../fields/expression.ts'

/** The modifiers whose values differ from page to page. */
const SLOTS = new Set(['after', 'before', 'since', 'until'])

/**
 * Takes the values that differ from page to page out of an expression: each argument becomes the index of its value.
 */
export const takeValues = (
  expression: FieldExpression,
): { readonly expression: FieldExpression; readonly values: readonly string[] } => {
  const values: string[] = []
  const take = (items: FieldExpression): FieldExpression =>
    items.map(item => ({
      ...item,
      modifiers: item.modifiers.map(modifier =>
        SLOTS.has(modifier.name)
          ? { name: modifier.name, argument: `${values.push(modifier.argument) - 1}` }
          : modifier,
      ),
      fields: item.fields && take(item.fields),
    }))
  return { expression: take(expression), values }
}

/** Whether an item, or one below it, has such a value. */
export const hasSlots = (item: FieldItem): boolean =>
  item.modifiers.some(modifier => SLOTS.has(modifier.name)) || (item.fields?.some(hasSlots) ?? false)

/** The inverse of taking the values out. */
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
