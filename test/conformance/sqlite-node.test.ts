import { it } from 'vitest'
import { describeSqlite } from '../helpers/sqlite-conformance.ts'
import { openNodeSqlite } from '../helpers/sqlite-databases.ts'

if (openNodeSqlite === undefined)
  it.skip(`is skipped: Node ${process.version} has no node:sqlite; 22.5 and newer have it`)
else describeSqlite('node:sqlite', openNodeSqlite)
