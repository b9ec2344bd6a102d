import { it } from 'vitest'
import { describeSqlite } from '../helpers/sqlite-conformance.ts'
import { openNode } from '../helpers/sqlite-databases.ts'

if (openNode === undefined)
  it.skip(`left out: Node ${process.version} has no node:sqlite; 22.5 and newer have it`)
else describeSqlite('node:sqlite', openNode)
