import { defineTables } from 'kithgraph/tables'
import { declareTypes, options } from '../types.ts'
import { db } from './db.ts'

/** The graph over the shop in Postgres. */
export const { schema, tables } = defineTables(db, declareTypes({}), options)
