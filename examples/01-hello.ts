import { deepStrictEqual } from 'node:assert/strict'
import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

const graph = createGraph(createMemoryStore())
await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada Lovelace' } } }])
const token = await graph.tokens.issue({ viewer: '4', app: 'hello', scopes: [] })
const me = await graph.getMe(token)

console.log(me) // { name: 'Ada Lovelace', id: '4' }
deepStrictEqual(me, { name: 'Ada Lovelace', id: '4' })
