import { type EdgeSpec, type EntryFieldSpec, type FieldSpec, type SchemaSpec, VERSIONS } from './world.ts'

/** Where an expression is asked: of nodes of these types, reached by this edge or by none. */
export type Place = { readonly types: readonly string[]; readonly edge: EdgeSpec | undefined }

/** What a name means for nodes of one type. */
export type Declared =
  | { readonly kind: 'id' }
  | { readonly kind: 'entry'; readonly field: EntryFieldSpec }
  | { readonly kind: 'field'; readonly field: FieldSpec }
  | { readonly kind: 'edge'; readonly edge: EdgeSpec }

export const declaredAs = (
  schema: SchemaSpec,
  type: string,
  edge: EdgeSpec | undefined,
  name: string,
): Declared | undefined => {
  if (name === 'id') return { kind: 'id' }
  const entry = edge?.fields[name]
  if (entry !== undefined) return { kind: 'entry', field: entry }
  const field = schema.types[type]?.fields[name]
  if (field !== undefined) return { kind: 'field', field }
  const found = schema.types[type]?.edges[name]
  return found && { kind: 'edge', edge: found }
}

const rank = (version: string | undefined, otherwise: number): number => {
  const index = VERSIONS.map(String).indexOf(version ?? '')
  return index < 0 ? otherwise : index
}

/** Whether what is declared is there in a version; none stands for the newest. */
export const isThere = (declared: Declared, version: string | undefined): boolean => {
  if (declared.kind !== 'field') return true
  const asked = rank(version, VERSIONS.length - 1)
  const { since, removedIn } = declared.field
  return asked >= rank(since, 0) && asked < rank(removedIn, VERSIONS.length)
}

/** The names that are answered where none are asked for. */
export const defaultsOf = (
  schema: SchemaSpec,
  type: string,
  edge: EdgeSpec | undefined,
): readonly string[] => {
  if (edge?.defaults !== undefined) return edge.defaults
  const fields = Object.entries(schema.types[type]?.fields ?? {})
  return fields.filter(([, field]) => field.default).map(([name]) => name)
}
