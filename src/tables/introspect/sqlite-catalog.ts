import { quoteIdentifier } from '../../stores/quote-identifier.ts'
import { prepareJsonQuery, type SqliteDatabase } from '../../stores/sqlite/connection.ts'

/** A table or view in the catalog. */
export type CatalogTable = {
  readonly name: string
  readonly isView: 0 | 1
  readonly isWithoutRowid: 0 | 1
}

/** A column. `keyPosition` counts from 1; it is 0 if the column is not part of the primary key. */
export type CatalogColumn = {
  readonly name: string
  readonly declaredType: string
  readonly isNotNull: 0 | 1
  readonly hasDefault: 0 | 1
  readonly keyPosition: number
}

/** A column of a foreign key. Without a name of the other column, it is that of the primary key. */
export type CatalogReference = {
  readonly id: number
  readonly table: string
  readonly column: string
  readonly otherColumn: string | null
}

/** A column of an index. The name of an expression is null. */
export type CatalogIndexColumn = {
  readonly index: string
  readonly origin: 'c' | 'u' | 'pk'
  readonly isUnique: 0 | 1
  /** The statement that created an index of some rows, or `null` for an index of all rows. */
  readonly sql: string | null
  readonly name: string | null
  /** Whether the column is the rowid, which has no name here. */
  readonly isRowid: 0 | 1
  readonly isDescending: 0 | 1
  readonly collation: string
  /** Whether the column is declared. SQLite adds the columns of the key to those of each index. */
  readonly isDeclared: 0 | 1
}

const TABLES = `select json_object('name', name, 'isView', type = 'view', 'isWithoutRowid', wr) as item
  from pragma_table_list
  where schema = 'main' and type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'`
/** A column whose `hidden` is 2 or 3 is generated. */
const COLUMNS = `select json_object('name', name, 'declaredType', type, 'isNotNull', "notnull",
    'hasDefault', dflt_value is not null or hidden in (2, 3), 'keyPosition', pk) as item
  from pragma_table_xinfo(?) order by cid`
const REFERENCES = `select json_object('id', id, 'table', "table", 'column', "from", 'otherColumn', "to") as item
  from pragma_foreign_key_list(?) order by id, seq`
const INDEX_COLUMNS = `select json_object('index', l.name, 'origin', l.origin, 'isUnique', l."unique",
    'sql', case l.partial when 1 then (select s.sql from sqlite_schema s where s.type = 'index' and s.name = l.name) end,
    'name', c.name, 'isRowid', c.cid = -1, 'isDescending', c."desc",
    'collation', c.coll, 'isDeclared', c.key) as item
  from pragma_index_list(?) l join pragma_index_xinfo(l.name) c order by l.name, c.seqno`

/** Selects all items of a query as one text. */
const joinItems = (sql: string): string => `select coalesce(group_concat(item), '') as result from (${sql})`

/** Reads the catalog of a SQLite database. */
export type SqliteCatalog = {
  readTables(): readonly CatalogTable[]
  /** @throws Error if the table is a view that SQLite cannot compile. */
  readColumns(table: string): readonly CatalogColumn[]
  readReferences(table: string): readonly CatalogReference[]
  readIndexColumns(table: string): readonly CatalogIndexColumn[]
  /** Returns whether a column is equal to texts of other bytes, by its collation. */
  isCollated(table: string, column: string): boolean
}

/** Creates the reader of the catalog of a database. */
export const createSqliteCatalog = (database: SqliteDatabase): SqliteCatalog => ({
  readTables: prepareJsonQuery<CatalogTable>(database, joinItems(TABLES)),
  readColumns: prepareJsonQuery<CatalogColumn>(database, joinItems(COLUMNS)),
  readReferences: prepareJsonQuery<CatalogReference>(database, joinItems(REFERENCES)),
  readIndexColumns: prepareJsonQuery<CatalogIndexColumn>(database, joinItems(INDEX_COLUMNS)),
  isCollated: (table, column) => {
    // No statement returns the collation of a column. The first select reads no row, but decides the collation.
    const sample = `select ${quoteIdentifier(column)} as sample from ${quoteIdentifier(table)} where 0 union all select 'a'`
    const sql = `select cast(sample = 'A' or sample = 'a ' as text) as result from (${sample})`
    return prepareJsonQuery<0 | 1>(database, sql)()[0] === 1
  },
})
