import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { Problem } from './plan.ts'

/** The items of an expression, those of inner lists included, in the order of the text. */
export const itemsOf = (expression: FieldExpression): FieldItem[] =>
  expression.flatMap(item => [item, ...itemsOf(item.fields ?? [])])

/** In the order of the text: items were met in that of the places that they are for. */
export const inOrder = (problems: readonly Problem[], expression: FieldExpression): readonly Problem[] => {
  if (problems.length < 2) return problems
  const places = new Map(itemsOf(expression).map((item, place) => [item, place]))
  const placeOf = ({ item }: Problem): number => places.get(item) ?? 0
  return problems.toSorted((a, b) => placeOf(a) - placeOf(b))
}
