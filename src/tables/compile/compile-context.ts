import { describeValue } from '../../base/describe.ts'
import type { EdgeType } from '../../schema/edge.ts'
import type { Field } from '../../schema/field.ts'
import { getOwn } from '../../schema/node.ts'
import type { TypeDeclaration } from '../declare/declaration.ts'
import type { ColumnNames, TableReference } from '../declare/references.ts'
import { tableNameOf, toColumnList } from '../declare/references.ts'
import type {
  DatabaseDescription,
  ForeignKeyDescription,
  TableDescription,
} from '../description/database-description.ts'
import type { FieldMapping, ListMapping, TypeMapping, UsedTable } from '../model/table-model.ts'
import { DescribedTable, type NamedColumn } from './described-table.ts'
import type { Issues } from './issues.ts'

/** A type whose fields and lists are compiled after all types are known. */
export type CompiledType = {
  readonly declaration: TypeDeclaration
  readonly table: DescribedTable
  readonly mapping: TypeMapping & {
    readonly fields: Map<string, FieldMapping>
    readonly lists: Map<string, ListMapping>
  }
  /** The members of the type in the schema. */
  readonly members: {
    readonly fields: { [name: string]: Field }
    readonly edges: { [name: string]: EdgeType }
  }
}

/** The description, the types, and the errors so far, which the parts of the compiler share. */
export class CompileContext {
  readonly issues: Issues
  readonly types = new Map<string, CompiledType>()
  readonly #description: DatabaseDescription
  readonly #names: 'camel' | undefined
  readonly #usedTables = new Map<string, { table: DescribedTable; usedBy: string[] }>()

  constructor(description: DatabaseDescription, names: 'camel' | undefined, issues: Issues) {
    this.#description = description
    this.#names = names
    this.issues = issues
  }

  get dialect(): DatabaseDescription['dialect'] {
    return this.#description.dialect
  }

  /** The tables that the compiled types and lists use. */
  get usedTables(): readonly UsedTable[] {
    return [...this.#usedTables.values()].map(({ table: { key, name, description }, usedBy }) => ({
      key,
      name,
      description,
      usedBy,
    }))
  }

  /** Returns the foreign keys of a table, by its name in the description. */
  foreignKeysOf(table: string): readonly ForeignKeyDescription[] {
    return getOwn(this.#description.tables, table)?.foreignKeys ?? []
  }

  /** Returns a table. Adds an error if the description does not have it, or not the columns of its key. */
  findTable(
    location: string,
    subject: string,
    reference: TableReference,
    timeZone: string | undefined,
  ): DescribedTable | undefined {
    const key = tableNameOf(reference)
    const declaredKey = typeof reference === 'string' ? undefined : toColumnList(reference.key)
    const description = this.#findDescription(location, subject, key)
    if (description === undefined) return undefined
    const { dialect } = this
    const table = new DescribedTable(key, description, {
      dialect,
      names: this.#names,
      timeZone,
      key: declaredKey,
    })
    for (const name of declaredKey ?? []) this.findColumn(location, '"key"', table, name)
    this.#checkTimeZone(location, timeZone)
    const used = this.#usedTables.get(key) ?? { table, usedBy: [] }
    used.usedBy.push(location)
    this.#usedTables.set(key, used)
    return table
  }

  #findDescription(location: string, subject: string, key: string): TableDescription | undefined {
    const { tables } = this.#description
    const description = getOwn(tables, key)
    if (description !== undefined) return description
    this.issues.addUnknown(location, subject, 'a table of the description', key, Object.keys(tables))
    return undefined
  }

  #checkTimeZone(location: string, timeZone: string | undefined): void {
    if (timeZone === undefined) return
    try {
      new Intl.DateTimeFormat('en', { timeZone })
    } catch {
      this.issues.add(location, '"timeZone"', 'a time zone such as Europe/Paris', describeValue(timeZone))
    }
  }

  /** Returns a column that a declaration names. Adds an error if the table does not have it. */
  findColumn(
    location: string,
    subject: string,
    table: DescribedTable,
    name: string,
  ): NamedColumn | undefined {
    const column = table.find(name)
    if (column === undefined)
      this.issues.addUnknown(
        location,
        subject,
        `a column of ${table.key}`,
        name,
        Object.keys(table.description.columns),
      )
    return column
  }

  /** Returns columns that a declaration names, or undefined if the table does not have one of them. */
  findColumns(
    location: string,
    subject: string,
    table: DescribedTable,
    names: ColumnNames,
  ): readonly NamedColumn[] | undefined {
    const columns = toColumnList(names).map(name => this.findColumn(location, subject, table, name))
    const found = columns.filter(column => column !== undefined)
    return found.length === columns.length ? found : undefined
  }
}
