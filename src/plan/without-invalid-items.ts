import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { createPlainItem } from './plain-item.ts'
import type { PlanError } from './plan.ts'
import { flattenItems } from './text-order.ts'

const isId = ({ name }: FieldItem): boolean => name === 'id'

const removeItems = (expression: FieldExpression, invalidItems: ReadonlySet<FieldItem>): FieldExpression =>
  expression.flatMap(item => {
    if (invalidItems.has(item)) return []
    if (item.fields === undefined) return item
    const fields = removeItems(item.fields, invalidItems)
    if (fields.length > 0) return { ...item, fields }
    // Every node has an id, but the inside of a value may have none.
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
