import { describeSqlite } from '../helpers/sqlite-conformance.ts'
import { openBetter } from '../helpers/sqlite-databases.ts'

describeSqlite('better-sqlite3', openBetter)
