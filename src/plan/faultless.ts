import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { plainItem } from './plain-item.ts'
import type { Problem } from './plan.ts'
import { itemsOf } from './text-order.ts'

const isId = ({ name }: FieldItem): boolean => name === 'id'

const without = (expression: FieldExpression, faulty: ReadonlySet<FieldItem>): FieldExpression =>
  expression.flatMap(item => {
    if (faulty.has(item)) return []
    if (item.fields === undefined) return item
    const fields = without(item.fields, faulty)
    if (fields.length > 0) return { ...item, fields }
    // Every node has an id to be asked for; inside of a value there may be none.
    return item.fields.some(isId) ? [] : { ...item, fields: [plainItem('id')] }
  })

/** An expression without the items that are at fault where it is asked; of a node of which nothing is left, the id is. */
export const faultless = (
  expression: FieldExpression,
  problemsOf: (expression: FieldExpression) => readonly Problem[],
): FieldExpression => {
  const asked = new Set(itemsOf(expression))
  const faulty = new Set(problemsOf(expression).flatMap(({ item }) => (asked.has(item) ? item : [])))
  if (faulty.size === 0) return expression
  const rest = without(expression, faulty)
  return faultless(rest.length === 0 ? [plainItem('id')] : rest, problemsOf)
}
