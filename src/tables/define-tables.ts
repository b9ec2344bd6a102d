import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'
import { findSchemaErrors } from '../schema/check-schema.ts'
import { defineUncheckedSchema } from '../schema/define-schema.ts'
import { type NodeType, node } from '../schema/node.ts'
import type { Schema } from '../schema/schema.ts'
import type { CompiledType } from './compile/compile-context.ts'
import { type CompiledTables, compileTables } from './compile/compile-model.ts'
import { Issues } from './compile/issues.ts'
import type { CheckedAs } from './declare/checked-as.ts'
import type { CheckedCollections, CheckedTypes } from './declare/checked-types.ts'
import type { LooseDeclarations, TablesOptions, TypeDeclarations } from './declare/declaration.ts'
import type { NamesOf, TableTypes, ViewersOf } from './declare/table-types.ts'
import type { DatabaseDescription } from './description/database-description.ts'
import type { TableModel } from './model/table-model.ts'

/** How the types of a schema are stored in tables, which {@link defineTables} returns. */
export type Tables = { readonly '~model': TableModel }

/** The result of {@link defineTables}: a schema like any other, and how a table store reads its records. */
export type DefinedTables<TDb extends DatabaseDescription, TTypes extends LooseDeclarations, TOptions> = {
  readonly schema: Schema<TableTypes<TDb, TTypes, TOptions>, ViewersOf<TTypes, TOptions>>
  readonly tables: Tables
}

const OPTION_KINDS = {
  names: 'any',
  versions: 'texts',
  viewers: 'texts',
  defaultPicture: 'text',
  collections: 'object',
} as const satisfies OptionKinds

/** @throws TypeError for arguments that are not a description, declarations and options. */
const assertArguments = (db: unknown, types: unknown, options: TablesOptions | undefined): void => {
  const caller = 'defineTables'
  if (!isNonArrayObject(db) || !isNonArrayObject(db.tables))
    throw usageError(caller, 'db', 'a description that introspect writes', describeValue(db))
  if (db.dialect !== 'postgres' && db.dialect !== 'sqlite')
    throw usageError(caller, 'db.dialect', formatChoices(['postgres', 'sqlite']), describeValue(db.dialect))
  if (!isNonArrayObject(types))
    throw usageError(caller, 'types', 'an object with types by name', describeValue(types))
  assertOptionKinds(caller, options, OPTION_KINDS)
  if (options?.names !== undefined && options.names !== 'camel')
    throw usageError(caller, 'names', '"camel"', describeValue(options.names))
}

const createType = ({ declaration, members }: CompiledType): NodeType => {
  const { description, policy, appScoped, idPrefix } = declaration
  return node({ description, policy, appScoped, idPrefix, ...members })
}

/** Creates the schema. A type with errors has no members, so that a ref to it is not a further error. */
const createSchema = (
  declarations: TypeDeclarations,
  { types, collections }: CompiledTables,
  { versions, viewers, defaultPicture }: TablesOptions,
  issues: Issues,
): Schema => {
  const nodes: { [type: string]: NodeType } = Object.fromEntries(
    Object.keys(declarations).map(name => [name, node({})]),
  )
  for (const type of types) {
    const { name } = type.mapping
    nodes[name] = issues.attempt(() => createType(type), name) ?? node({})
  }
  return defineUncheckedSchema(nodes, { versions, viewers, defaultPicture, ids: 'named', collections })
}

/**
 * Defines a graph over the tables of a database. Only what the declaration names is shown. The ids of the schema are
 * named: the row of `photo` with the key 42 has the id `photo-42`.
 *
 * A column of a field has the field's name, unless the field names another one. With `names: 'camel'`, fields and
 * columns are declared in camel case: the field `createdAt` is `created_at` in the graph, and its column is
 * `createdAt` or, if there is none, `created_at`. The names of types, edges and orders stay as they are.
 *
 * @param db The description of the database, which `npx kithgraph introspect` writes.
 * @throws TypeError with all errors at once, by type and field: unknown tables, columns and types, tables without a
 * key, columns that are not equal to a key, join tables whose rows are not unique, orders that may be NULL without
 * `nulls`, columns that need `as`, constants that a column cannot have, and the errors of `defineSchema`.
 * @example
 * ```ts
 * import { createGraph } from 'kithgraph'
 * import { back, createTableStore, type DatabaseDescription, defineTables, ref } from 'kithgraph/tables'
 * import Database from 'better-sqlite3'
 *
 * const database = new Database(':memory:')
 * database.exec(`
 *   create table author (id integer primary key, name text not null);
 *   create table book (id integer primary key, author_id integer not null references author, title text not null);
 *   insert into author values (1, 'Ada');
 *   insert into book values (7, 1, 'Notes');
 * `)
 * const id = { type: 'integer', default: true } as const
 * const shared = { uniques: [], indexes: [] } as const
 * const db = {
 *   dialect: 'sqlite',
 *   tables: {
 *     author: { name: 'author', columns: { id, name: { type: 'text' } }, key: ['id'], foreignKeys: [], ...shared },
 *     book: {
 *       name: 'book',
 *       columns: { id, author_id: { type: 'integer' }, title: { type: 'text' } },
 *       key: ['id'],
 *       foreignKeys: [{ columns: ['author_id'], table: 'author', references: ['id'] }],
 *       ...shared,
 *     },
 *   },
 * } as const satisfies DatabaseDescription
 *
 * const { schema, tables } = defineTables(db, {
 *   author: { over: 'author', fields: { name: true }, edges: { books: back('book', 'author_id', { by: 'title' }) } },
 *   book: { over: 'book', fields: { title: true, author: ref('author', 'author_id') } },
 * })
 * const graph = createGraph(createTableStore(database, { tables }), { schema })
 * const session = graph.session({ viewer: 'author-1', app: 'demo' })
 * const book = await graph.getNode(session, { id: 'book-7', type: 'book', fields: 'title,author{name}' })
 * console.log(book.author?.name) // Ada
 * ```
 */
export const defineTables = <
  const TDb extends DatabaseDescription,
  const TTypes extends LooseDeclarations,
  const TOptions extends TablesOptions = Record<never, never>,
>(
  db: TDb,
  types: CheckedTypes<TDb, TTypes, NamesOf<TOptions>>,
  options?: CheckedAs<TablesOptions<keyof TTypes & string>, TOptions> &
    CheckedCollections<TDb, TTypes, TOptions>,
): DefinedTables<TDb, TTypes, TOptions> => {
  assertArguments(db, types, options)
  const issues = new Issues()
  // The members of declarations are checked below, since they may have any type at run time.
  const declarations = types as TypeDeclarations
  const compiled = compileTables(db, declarations, options ?? {}, issues)
  const schema = createSchema(declarations, compiled, options ?? {}, issues)
  issues.addTexts(findSchemaErrors(schema))
  issues.throwIfAny('defineTables', 'the declaration')
  const tables: Tables = Object.freeze({ '~model': compiled.model })
  // The literal types exist only at compile time.
  return { schema, tables } as unknown as DefinedTables<TDb, TTypes, TOptions>
}
