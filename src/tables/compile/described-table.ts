import { getOwn } from '../../schema/node.ts'
import { toSnakeCase } from '../declare/names.ts'
import type { ColumnDescription, Dialect, TableDescription } from '../description/database-description.ts'
import type { TableColumn, TableName } from '../model/table-model.ts'
import { type ColumnType, findColumnType, isColumnType } from './column-types.ts'

/** A column of a description with its name. */
export type NamedColumn = { readonly name: string; readonly description: ColumnDescription }

/** A table of a description, as one type, edge or collection uses it. */
export class DescribedTable {
  /** Its name in the description. */
  readonly key: string
  readonly description: TableDescription
  readonly dialect: Dialect
  readonly name: TableName
  /** The time zone of its `timestamp` columns. */
  readonly timeZone: string
  /** The columns that are different in each row, by their names in the description. */
  readonly keyColumns: readonly string[]
  readonly #isCamel: boolean

  constructor(
    key: string,
    description: TableDescription,
    options: {
      readonly dialect: Dialect
      readonly names: 'camel' | undefined
      readonly timeZone: string | undefined
      /** The declared key, which replaces that of the description. */
      readonly key: readonly string[] | undefined
    },
  ) {
    this.key = key
    this.description = description
    this.dialect = options.dialect
    this.name = Object.freeze({ schema: description.schema, name: description.name })
    this.timeZone = options.timeZone ?? 'UTC'
    this.#isCamel = options.names === 'camel'
    this.keyColumns = options.key?.map(name => this.find(name)?.name ?? name) ?? description.key
  }

  /** Returns the column that a declaration names, or undefined if there is none. */
  find(name: string): NamedColumn | undefined {
    return this.#findExact(name) ?? (this.#isCamel ? this.#findExact(toSnakeCase(name)) : undefined)
  }

  #findExact(name: string): NamedColumn | undefined {
    const description = getOwn(this.description.columns, name)
    return description && { name, description }
  }

  /** Returns the name in the graph of a field that a declaration names. */
  toFieldName(name: string): string {
    return this.#isCamel ? toSnakeCase(name) : name
  }

  /** Returns a column as statements need it. */
  toColumn({ name, description }: NamedColumn, { kind }: Pick<ColumnType, 'kind'>): TableColumn {
    return Object.freeze({
      name,
      kind,
      sqlType: description.sqlType ?? description.type,
      isNullable: description.nullable ?? false,
      isArray: description.array ?? false,
      labels: description.labels,
      scale: description.scale,
      timeZone: kind === 'timestamp' ? this.timeZone : undefined,
      isInexact: description.inexact ?? kind === 'citext',
      collation: description.collation,
    })
  }

  /** Returns a column as statements compare it: without the option `as`, which belongs to fields and orders. */
  toComparedColumn(column: NamedColumn): TableColumn {
    const type = findColumnType(this.dialect, column.description, undefined)
    return this.toColumn(column, isColumnType(type) ? type : { kind: 'other' })
  }

  /** The columns of each key of the table: the declared one, the primary key, and the unique constraints. */
  get uniqueKeys(): readonly (readonly string[])[] {
    return [this.keyColumns, this.description.key, ...this.description.uniques]
  }
}
