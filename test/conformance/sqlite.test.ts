import { describeSqlite } from '../helpers/sqlite-conformance.ts'
import { openBetterSqlite } from '../helpers/sqlite-databases.ts'

describeSqlite('better-sqlite3', openBetterSqlite)
