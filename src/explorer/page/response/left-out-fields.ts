import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { FieldExpression } from '../../../fields/expression.ts'
import type { SchemaView } from '../../schema-view.ts'
import {
  defaultNamesOf,
  type ExpressionParent,
  findType,
  hasSubfields,
  membersOf,
  parentAt,
} from '../schema/lookup.ts'
import { nodeIdOf, pageEntriesOf } from './json.ts'

/** A requested field that a response does not contain, because the token lacks the scope of the field. */
export type LeftOutField = { readonly key: string; readonly scope: string }

/** The fields that a response leaves out, by the object that would contain them. */
export type LeftOutFields = ReadonlyMap<JsonValue, readonly LeftOutField[]>

/** No fields. */
export const NO_LEFT_OUT_FIELDS: LeftOutFields = new Map()

/** The selected fields that require a scope, and the selections inside other fields and edges. */
type ScopedSelection = {
  readonly fields: readonly LeftOutField[]
  readonly children: readonly (readonly [key: string, selection: ScopedSelection])[]
}

/**
 * Returns the scope of a field that responses leave out if the token lacks the scope. Returns undefined for
 * edges and refs, because the graph rejects them without their scope. Also returns undefined if the scope
 * depends on the type of the object, because the type is then unknown.
 */
const findFieldScope = (
  schema: SchemaView,
  { types, edge }: ExpressionParent,
  name: string,
): string | undefined => {
  const edgeField = edge?.fields.find(field => field.name === name)
  const fields = edgeField
    ? [edgeField]
    : types.map(type => findType(schema, type)?.fields.find(field => field.name === name))
  const scopes = new Set(fields.map(field => (field?.targets === undefined ? field?.scope : undefined)))
  const [scope] = scopes
  return scopes.size === 1 ? scope : undefined
}

/** Returns the selected names and their keys. An empty expression selects the default fields. */
const findSelectedNames = (
  schema: SchemaView,
  parent: ExpressionParent,
  expression: FieldExpression,
): readonly { readonly name: string; readonly key: string }[] => {
  if (expression.length > 0) return expression
  return defaultNamesOf(schema, parent).map(name => ({ name, key: name }))
}

/** Returns undefined if no field of the expression requires a scope. */
const createScopedSelection = (
  schema: SchemaView,
  parent: ExpressionParent,
  expression: FieldExpression,
): ScopedSelection | undefined => {
  const fields = findSelectedNames(schema, parent, expression).flatMap(({ name, key }) => {
    const scope = findFieldScope(schema, parent, name)
    return scope === undefined ? [] : [{ key, scope }]
  })
  const membersWithSubfields = membersOf(schema, parent).filter(hasSubfields)
  const children = expression.flatMap(({ name, key, fields: subfields = [] }) => {
    if (!membersWithSubfields.some(member => member.name === name)) return []
    const selection = createScopedSelection(schema, parentAt(schema, parent, [name]), subfields)
    return selection === undefined ? [] : [[key, selection] as const]
  })
  return fields.length + children.length === 0 ? undefined : { fields, children }
}

const collectAbsentFields = (
  value: JsonValue | undefined,
  selection: ScopedSelection,
  found: Map<JsonValue, readonly LeftOutField[]>,
): void => {
  const pageEntries = nodeIdOf(value) === undefined ? pageEntriesOf(value) : undefined
  for (const entry of pageEntries ?? []) collectAbsentFields(entry, selection, found)
  if (pageEntries !== undefined || !isNonArrayObject(value)) return
  const absentFields = selection.fields.filter(({ key }) => !Object.hasOwn(value, key))
  if (absentFields.length > 0) found.set(value, absentFields)
  for (const [key, child] of selection.children) collectAbsentFields(value[key], child, found)
}

/** Finds the requested fields that require a scope and that a part of a response does not contain. */
export const findAbsentFields = (
  body: JsonValue,
  context: {
    readonly schema: SchemaView
    readonly root: ExpressionParent
    readonly expression: FieldExpression
  },
): LeftOutFields => {
  const selection = createScopedSelection(context.schema, context.root, context.expression)
  const found = new Map<JsonValue, readonly LeftOutField[]>()
  if (selection !== undefined) collectAbsentFields(body, selection, found)
  return found
}

/** Removes the fields whose scope the token has. These fields are absent because they have no value. */
export const withoutGrantedScopes = (
  absentFields: LeftOutFields,
  grantedScopes: ReadonlySet<string>,
): LeftOutFields =>
  new Map(
    [...absentFields].flatMap(([value, fields]) => {
      const leftOutFields = fields.filter(({ scope }) => !grantedScopes.has(scope))
      return leftOutFields.length === 0 ? [] : [[value, leftOutFields] as const]
    }),
  )
