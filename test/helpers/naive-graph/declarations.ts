import { acceptsValues } from './edge-parameters.ts'
import { findOrder } from './list-order.ts'
import type { ItemSpec } from './query.ts'
import { type EdgeSpec, type EntryFieldSpec, type FieldSpec, type SchemaSpec, VERSIONS } from './world.ts'

/** The parent of a selection: nodes of these types, and the edge that leads to them, if any. */
export type SelectionParent = { readonly types: readonly string[]; readonly edge: EdgeSpec | undefined }

/** The meaning of a name for nodes of one type. */
export type Declaration =
  | { readonly kind: 'id' }
  | { readonly kind: 'entry'; readonly field: EntryFieldSpec }
  | { readonly kind: 'field'; readonly field: FieldSpec }
  | { readonly kind: 'edge'; readonly edge: EdgeSpec }

export const findDeclaration = (
  schema: SchemaSpec,
  type: string,
  edge: EdgeSpec | undefined,
  name: string,
): Declaration | undefined => {
  if (name === 'id') return { kind: 'id' }
  const entry = edge?.fields[name]
  if (entry !== undefined) return { kind: 'entry', field: entry }
  const field = schema.types[type]?.fields[name]
  if (field !== undefined) return { kind: 'field', field }
  const found = schema.types[type]?.edges[name]
  return found && { kind: 'edge', edge: found }
}

const versionRank = (version: string | undefined, fallback: number): number => {
  const index = VERSIONS.map(String).indexOf(version ?? '')
  return index < 0 ? fallback : index
}

/** Whether a declaration is part of a version. `undefined` means the newest version. */
export const isInVersion = (declared: Declaration, version: string | undefined): boolean => {
  if (declared.kind !== 'field') return true
  const requested = versionRank(version, VERSIONS.length - 1)
  const { since, removedIn } = declared.field
  return requested >= versionRank(since, 0) && requested < versionRank(removedIn, VERSIONS.length)
}

/**
 * Whether a declaration is part of a version and accepts the parameters of an item. Otherwise, the nodes of its
 * type leave out the item.
 */
export const isReadable = (declared: Declaration, item: ItemSpec, version: string | undefined): boolean =>
  isInVersion(declared, version) &&
  (declared.kind !== 'edge' ||
    (acceptsValues(declared.edge, item.parameters) && findOrder(declared.edge, item.order) !== undefined))

/** Returns the names of the fields that a call reads if it selects none. */
export const defaultFieldsOf = (
  schema: SchemaSpec,
  type: string,
  edge: EdgeSpec | undefined,
): readonly string[] => {
  if (edge?.defaults !== undefined) return edge.defaults
  const fields = Object.entries(schema.types[type]?.fields ?? {})
  return fields.filter(([, field]) => field.default).map(([name]) => name)
}
