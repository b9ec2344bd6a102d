import Database from 'better-sqlite3'
import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Store } from '../../src/store/contract.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { type Clock, workDone } from '../measure/work-done.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const NODES = 1000

const schema = defineSchema({
  person: node({ fields: { name: field.string() }, edges: { likes: edge('person') } }),
})

const idOf = (index: number): string => `${1 + (index % NODES)}`

/** Measures a batch of one patch and one edge. */
const measureWrites = async (name: string, store: Store, clock?: Clock): Promise<Finding[]> => {
  const { write } = createGraph(store, { schema })
  await write(
    Array.from({ length: NODES }, (_, index) => ({
      op: 'putNode',
      node: { id: idOf(index), type: 'person', fields: { name: 'Ada' } },
    })),
  )
  let index = 0
  const writeNext = async () => {
    index += 1
    await write([
      { op: 'patchNode', id: idOf(index), fields: { name: `Ada ${index}` } },
      { op: 'putEdge', edge: { source: idOf(index), name: 'likes', target: idOf(index * 7), time: index } },
    ])
  }
  return compare({ name, call: writeNext }, [], clock)
}

export const createPlainWritesRow = (shutdown: Shutdown): Row => ({
  name: 'plain-writes',
  title: 'a batch of one patch and one edge, without conditions, entries and an id',
  async measure() {
    const database = new Database('')
    shutdown.add(() => database.close())
    return [
      ...(await measureWrites('memory', createMemoryStore())),
      ...(await measureWrites('SQLite', createSqliteStore(database), workDone)),
    ]
  },
})
