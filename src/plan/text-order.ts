import type { FieldExpression, FieldItem } from '../fields/expression.ts'

/** The items of an expression, those of inner lists included, in the order of the text. */
export const itemsOf = (expression: FieldExpression): FieldItem[] =>
  expression.flatMap(item => [item, ...itemsOf(item.fields ?? [])])

/** In the order of the text: items were met in that of the places that they are for. */
export const inOrder = <TOfItem extends { readonly item: FieldItem }>(
  all: readonly TOfItem[],
  expression: FieldExpression,
): readonly TOfItem[] => {
  if (all.length < 2) return all
  const places = new Map(itemsOf(expression).map((item, place) => [item, place]))
  const placeOf = ({ item }: TOfItem): number => places.get(item) ?? 0
  return all.toSorted((a, b) => placeOf(a) - placeOf(b))
}
