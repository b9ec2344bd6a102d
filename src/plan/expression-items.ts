import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { PlanError } from './plan.ts'

/** Creates an item without modifiers and without fields. */
export const createPlainItem = (name: string): FieldItem => ({
  name,
  key: name,
  modifiers: [],
  fields: undefined,
})

/** Returns all items of an expression, including nested items, in the order of the text. */
export const flattenItems = (expression: FieldExpression): FieldItem[] =>
  expression.flatMap(item => [item, ...flattenItems(item.fields ?? [])])

/** Sorts elements by the order of their items in the text. The compiler collects them type by type. */
export const sortByTextOrder = <TWithItem extends { readonly item: FieldItem }>(
  elements: readonly TWithItem[],
  expression: FieldExpression,
): readonly TWithItem[] => {
  if (elements.length < 2) return elements
  const positions = new Map(flattenItems(expression).map((item, position) => [item, position]))
  const positionOf = ({ item }: TWithItem): number => positions.get(item) ?? 0
  return elements.toSorted((a, b) => positionOf(a) - positionOf(b))
}

const isId = ({ name }: FieldItem): boolean => name === 'id'

const removeItems = (expression: FieldExpression, invalidItems: ReadonlySet<FieldItem>): FieldExpression =>
  expression.flatMap(item => {
    if (invalidItems.has(item)) return []
    if (item.fields === undefined) return item
    const fields = removeItems(item.fields, invalidItems)
    if (fields.length > 0) return { ...item, fields }
    // Every node has an id, but a value may have no member `id`.
    return item.fields.some(isId) ? [] : { ...item, fields: [createPlainItem('id')] }
  })

/** Removes the invalid items of an expression. If no field of a node is left, its id is selected. */
export const withoutInvalidItems = (
  expression: FieldExpression,
  findErrors: (expression: FieldExpression) => readonly PlanError[],
): FieldExpression => {
  const allItems = new Set(flattenItems(expression))
  const invalidItems = new Set(findErrors(expression).flatMap(({ item }) => (allItems.has(item) ? item : [])))
  if (invalidItems.size === 0) return expression
  const validItems = removeItems(expression, invalidItems)
  return withoutInvalidItems(validItems.length === 0 ? [createPlainItem('id')] : validItems, findErrors)
}
