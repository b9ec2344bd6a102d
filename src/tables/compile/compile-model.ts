import type { EdgeType } from '../../schema/edge.ts'
import type { TablesOptions, TypeDeclaration, TypeDeclarations } from '../declare/declaration.ts'
import type { DatabaseDescription } from '../description/database-description.ts'
import type { FieldMapping, ListMapping, TableModel } from '../model/table-model.ts'
import { assertTypeDeclaration } from './check-declarations.ts'
import { CompileContext, type CompiledType } from './compile-context.ts'
import { compileFields } from './compile-fields.ts'
import { compileKey } from './compile-key.ts'
import { compileCollection, compileEdge } from './compile-lists.ts'
import type { Issues } from './issues.ts'
import { compileFilters } from './row-filters.ts'

const compileType = (
  context: CompileContext,
  name: string,
  declaration: TypeDeclaration,
): CompiledType | undefined => {
  if (!context.issues.assert(() => assertTypeDeclaration(name, declaration))) return undefined
  const { over, timeZone, idPrefix = name } = declaration
  const table = context.findTable(name, '"over"', over, timeZone)
  if (table === undefined) return undefined
  return {
    declaration,
    table,
    mapping: {
      name,
      prefix: idPrefix,
      table: table.name,
      keys: compileKey(context, name, table),
      filters: compileFilters(context, { location: name, table }, declaration.where),
      fields: new Map<string, FieldMapping>(),
      lists: new Map<string, ListMapping>(),
    },
    members: { fields: {}, edges: {} },
  }
}

/** The result of compiling a declaration: the members of a schema, and the model of a store. */
export type CompiledTables = {
  readonly types: readonly CompiledType[]
  readonly collections: { readonly [name: string]: EdgeType }
  readonly model: TableModel
}

const compileEdges = (context: CompileContext, type: CompiledType): void => {
  const { mapping, members, declaration } = type
  for (const [name, edge] of Object.entries(declaration.edges ?? {})) {
    const compiled = compileEdge(context, type, name, edge)
    if (compiled === undefined) continue
    members.edges[name] = compiled.edge
    for (const list of compiled.lists) mapping.lists.set(list.name, list)
  }
}

/** Compiles declarations, and adds all errors that it finds. */
export const compileTables = (
  description: DatabaseDescription,
  declarations: TypeDeclarations,
  { names, collections = {} }: TablesOptions,
  issues: Issues,
): CompiledTables => {
  const context = new CompileContext(description, names, issues)
  for (const [name, declaration] of Object.entries(declarations)) {
    const type = compileType(context, name, declaration)
    if (type !== undefined) context.types.set(name, type)
  }
  // The lists of an edge depend on the fields of its target.
  const types = [...context.types.values()]
  for (const type of types) compileFields(context, type)
  for (const type of types) compileEdges(context, type)
  const compiledCollections = Object.entries(collections).map(
    ([name, declaration]) => [name, compileCollection(context, name, declaration)] as const,
  )
  const mappings = types.map(({ mapping }) => mapping)
  return {
    types,
    collections: Object.fromEntries(
      compiledCollections.flatMap(([name, compiled]) => (compiled ? [[name, compiled.edge]] : [])),
    ),
    model: {
      dialect: context.dialect,
      tables: context.usedTables,
      types: new Map(mappings.map(type => [type.name, type])),
      typesByPrefix: new Map(mappings.map(type => [type.prefix, type])),
      collections: new Map(
        compiledCollections.flatMap(([, compiled]) => compiled?.lists ?? []).map(list => [list.name, list]),
      ),
    },
  }
}
