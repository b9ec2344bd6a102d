import { it } from 'vitest'
import { describeSqlite } from '../helpers/sqlite-conformance.ts'
import { openNodeSqlite } from '../helpers/sqlite-databases.ts'

if (openNodeSqlite === undefined)
  it.skip(`the store on node:sqlite is not tested: Node ${process.version} lacks it; 22.5 and newer have it`)
else describeSqlite('node:sqlite', openNodeSqlite)
