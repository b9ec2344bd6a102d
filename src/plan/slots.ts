import type { FieldExpression, FieldItem, Modifier } from '../fields/expression.ts'
import { printFields } from '../fields/print.ts'

/** The modifiers whose values differ between pages. */
const PAGE_MODIFIERS = new Set(['after', 'before', 'since', 'until'])

/**
 * Whether the values of a parameter of the edges with a name are slots: text, numbers, dates and ids, of which
 * there are too many to compile a plan for each.
 */
export type SlotParameterTest = (edge: string, parameter: string) => boolean

const isSlot = (item: FieldItem, { name }: Modifier, isSlotParameter: SlotParameterTest): boolean =>
  PAGE_MODIFIERS.has(name) || isSlotParameter(item.name, name)

/**
 * Returns the values that differ between pages, and the text of the expression with an index in place of each
 * of these values.
 */
export const templateOf = (
  expression: FieldExpression,
  isSlotParameter: SlotParameterTest,
): { readonly text: string; readonly values: readonly string[] } => {
  const values: string[] = []
  const text = printFields(expression, (modifier, item) =>
    isSlot(item, modifier, isSlotParameter) ? `${values.push(modifier.argument) - 1}` : modifier.argument,
  )
  return { text, values }
}

/** Whether an item, or an item below it, has a value that differs between pages. */
export const hasSlots = (item: FieldItem, isSlotParameter: SlotParameterTest): boolean =>
  item.modifiers.some(modifier => isSlot(item, modifier, isSlotParameter)) ||
  (item.fields?.some(inner => hasSlots(inner, isSlotParameter)) ?? false)

/** Replaces the indexes in a template with their values. */
export const fillSlots = (
  expression: FieldExpression,
  values: readonly string[],
  isSlotParameter: SlotParameterTest,
): FieldExpression =>
  expression.map(item => ({
    ...item,
    modifiers: item.modifiers.map(modifier =>
      isSlot(item, modifier, isSlotParameter)
        ? { name: modifier.name, argument: values[Number(modifier.argument)] ?? '' }
        : modifier,
    ),
    fields: item.fields && fillSlots(item.fields, values, isSlotParameter),
  }))
