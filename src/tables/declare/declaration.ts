import type { Policy } from '../../schema/policy.ts'
import type { SchemaOptions } from '../../schema/schema.ts'
import type { ColumnFieldDeclaration, TableFieldDeclaration, TableFieldKind } from './fields.ts'
import type { TableCollection, TableEdgeDeclaration } from './lists.ts'
import type { TableReference } from './references.ts'
import type { Where } from './where.ts'

/** The declaration of a type over a table. */
export type TypeDeclaration = {
  /**
   * The table, by its name in the description. For a view, or a table without a key: `{ table, key }`, with the
   * columns that are different in each row.
   */
  readonly over: TableReference
  /** The conditions that a row must meet to be a node. Other rows do not exist for the graph. */
  readonly where?: Where | undefined
  /** The time zone of the table's `timestamp` columns. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** The description of the type in the schema. */
  readonly description?: string | undefined
  /** The policy of the nodes. Default: everyone can see them. */
  readonly policy?: Policy | undefined
  /** Whether the ids of the nodes are different for each app, if the graph has `appIds`. */
  readonly appScoped?: boolean | undefined
  /** The prefix of the ids of the nodes. Default: the name of the type. */
  readonly idPrefix?: string | undefined
  /** The fields by name. Columns that no field names are not shown. */
  readonly fields: { readonly [name: string]: TableFieldDeclaration }
  /** The edges by name, which `back` and `through` create. */
  readonly edges?: { readonly [name: string]: TableEdgeDeclaration } | undefined
}

/**
 * Declarations whose refs, computed fields and edges are checked by the functions that create them, so that the
 * compiler does not check their options a second time.
 */
export type LooseDeclarations = {
  readonly [type: string]: Omit<TypeDeclaration, 'fields' | 'edges'> & {
    readonly fields: {
      readonly [name: string]: ColumnFieldDeclaration | { readonly kind: TableFieldKind }
    }
    readonly edges?: { readonly [name: string]: { readonly kind: TableEdgeDeclaration['kind'] } } | undefined
  }
}

/** The declarations of the types by name. */
export type TypeDeclarations = { readonly [type: string]: TypeDeclaration }

/** The options of {@link defineTables}. */
export type TablesOptions<TType extends string = string> = Pick<
  SchemaOptions<TType>,
  'versions' | 'viewers' | 'defaultPicture'
> & {
  /**
   * `camel`: the declaration names columns and fields in camel case. The field of `createdAt` has the name
   * `created_at` in the graph, and its column is `createdAt` or, if there is none, `created_at`.
   */
  readonly names?: 'camel' | undefined
  /** The lists of all nodes of a type, by name: the edges of the node `root`. */
  readonly collections?: { readonly [name: string]: TableCollection } | undefined
}
