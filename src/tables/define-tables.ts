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
