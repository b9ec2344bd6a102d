import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { Problem } from './plan.ts'

/** A problem with the item that it is of. */
export type PlacedProblem = Problem & { readonly item: FieldItem }

const itemsOf = (expression: FieldExpression): FieldItem[] =>
  expression.flatMap(item => [item, ...itemsOf(item.fields ?? [])])

/** In the order of the text: items were met in that of the places that they are for. */
export const inOrder = (
  problems: readonly PlacedProblem[],
  expression: FieldExpression,
): readonly Problem[] => {
  if (problems.length < 2) return problems
  const places = new Map(itemsOf(expression).map((item, place) => [item, place]))
  const placeOf = ({ item }: PlacedProblem): number => places.get(item) ?? 0
  return problems.toSorted((a, b) => placeOf(a) - placeOf(b))
}
