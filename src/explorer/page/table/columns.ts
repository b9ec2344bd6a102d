import type { FieldExpression, FieldItem } from '../../../fields/expression.ts'
import type { SchemaView } from '../../schema-view.ts'
import { deselectField, findItemAt, selectField } from '../expression/field-selection.ts'
import { LABEL_FIELDS } from '../response/seen-graph.ts'
import { defaultNamesOf, type ExpressionParent, membersOf, parentAt } from '../schema/lookup.ts'

const toItem = (name: string): FieldItem => ({ name, key: name, modifiers: [], fields: undefined })

const ID_ITEM = toItem('id')

/** Returns the selected items. An empty expression selects the default fields. */
export const selectedItemsOf = (
  schema: SchemaView,
  parent: ExpressionParent,
  expression: FieldExpression,
): FieldExpression =>
  expression.length > 0 ? expression : defaultNamesOf(schema, parent).map(name => toItem(name))

/** Returns the key of the column whose values link to the nodes of the rows. */
export const findLinkKey = (items: FieldExpression): string =>
  LABEL_FIELDS.flatMap(name => items.find(item => item.name === name) ?? [])[0]?.key ?? ID_ITEM.key

/** Returns the items that are columns of a table: the selected items, with the column that has the links. */
export const columnsOf = (items: FieldExpression): FieldExpression =>
  items.some(({ key }) => key === findLinkKey(items)) ? items : [ID_ITEM, ...items]

/** Returns the path of the field that shows a ref by its label, if its default fields do not show one. */
const findRefPath = (schema: SchemaView, parent: ExpressionParent, name: string): readonly string[] => {
  const target = parentAt(schema, parent, [name])
  const defaultNames = defaultNamesOf(schema, target)
  if (LABEL_FIELDS.some(label => defaultNames.includes(label))) return [name]
  const names = membersOf(schema, target).map(member => member.name)
  const label = LABEL_FIELDS.find(candidate => names.includes(candidate))
  return label === undefined ? [name] : [name, label]
}

/** Adds a column to an expression, or removes it. The result always selects at least one field. */
export const toggleColumn = (
  schema: SchemaView,
  parent: ExpressionParent,
  expression: FieldExpression,
  name: string,
): FieldExpression => {
  const items = selectedItemsOf(schema, parent, expression)
  if (findItemAt(items, [name]) === undefined) return selectField(items, findRefPath(schema, parent, name))
  const remainingItems = deselectField(items, [name])
  return remainingItems.length === 0 ? [ID_ITEM] : remainingItems
}
