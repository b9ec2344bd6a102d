import type { FieldExpression, FieldItem } from '../fields/expression.ts'

/** Returns all items of an expression, including nested ones, in the order of the text. */
export const flattenItems = (expression: FieldExpression): FieldItem[] =>
  expression.flatMap(item => [item, ...flattenItems(item.fields ?? [])])

/** Sorts elements by the order of their items in the text. They were collected in the order of the types. */
export const sortByTextOrder = <TWithItem extends { readonly item: FieldItem }>(
  elements: readonly TWithItem[],
  expression: FieldExpression,
): readonly TWithItem[] => {
  if (elements.length < 2) return elements
  const positions = new Map(flattenItems(expression).map((item, position) => [item, position]))
  const positionOf = ({ item }: TWithItem): number => positions.get(item) ?? 0
  return elements.toSorted((a, b) => positionOf(a) - positionOf(b))
}
