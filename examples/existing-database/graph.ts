import { defineTables } from 'kithgraph/tables'
import { db } from './db.ts'
import { declareTypes, options } from './types.ts'

/** The graph over the shop in SQLite. */
export const { schema, tables } = defineTables(db, declareTypes({ as: 'iso' }), options)
