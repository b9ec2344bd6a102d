import { findSchemaErrors } from '../schema/check-schema.ts'
import { defineUncheckedSchema } from '../schema/define-schema.ts'
import { type NodeType, node } from '../schema/node.ts'
import type { Schema } from '../schema/schema.ts'
import type { CompiledType } from './compile/compile-context.ts'
import { compileTables } from './compile/compile-model.ts'
import { Issues } from './compile/issues.ts'
import type { TablesOptions, TypeDeclarations } from './declare/declaration.ts'
import type { DatabaseDescription } from './description/database-description.ts'
import type { TableModel } from './model/table-model.ts'

/** How the types of a schema are stored in tables, which {@link defineTables} returns. */
export type Tables = { readonly '~model': TableModel }

const createType = ({ declaration, members }: CompiledType): NodeType => {
  const { description, policy, appScoped, idPrefix } = declaration
  return node({ description, policy, appScoped, idPrefix, ...members })
}

/**
 * Declares a graph over the tables of a database: the types of its nodes, each over one table, with their fields and
 * edges. Only what is named is in the graph. The ids are named: the type and the key of the row, such as `account-42`.
 *
 * @param db The tables, as `npx kithgraph introspect` describes them.
 * @returns The schema for `createGraph`, and the tables for `createTableStore`.
 * @throws TypeError with all errors of the declaration at once: unknown tables, columns and types, and keys, orders and
 * conditions that do not fit their columns.
 * @example
 * ```ts
 * import { defineTables } from 'kithgraph/tables'
 *
 * // `npx kithgraph introspect` writes this description.
 * const db = {
 *   dialect: 'postgres',
 *   tables: {
 *     account: {
 *       name: 'account',
 *       schema: 'public',
 *       columns: { id: { type: 'int8' }, name: { type: 'text' } },
 *       key: ['id'],
 *       foreignKeys: [],
 *       uniques: [],
 *       indexes: [],
 *     },
 *   },
 * } as const
 * const { schema } = defineTables(db, { account: { over: 'account', fields: { name: { default: true } } } })
 * console.log(schema.ids) // named
 * ```
 */
export const defineTables = (
  db: DatabaseDescription,
  types: TypeDeclarations,
  options: TablesOptions = {},
): { readonly schema: Schema; readonly tables: Tables } => {
  const issues = new Issues()
  const { versions, viewers, defaultPicture } = options
  const compiled = compileTables(db, types, options, issues)
  const nodes = Object.fromEntries(
    compiled.types.flatMap(type => {
      const created = issues.attempt(() => createType(type), type.mapping.name)
      return created === undefined ? [] : [[type.mapping.name, created]]
    }),
  )
  const schema: Schema = defineUncheckedSchema(nodes, {
    versions,
    viewers,
    defaultPicture,
    ids: 'named',
    collections: compiled.collections,
  })
  issues.addTexts(findSchemaErrors(schema))
  issues.throwIfAny('defineTables', 'the declaration')
  return { schema, tables: Object.freeze({ '~model': compiled.model }) }
}
