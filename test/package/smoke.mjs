// Uses the built package by its name, as users do. Run it after `npm run build`.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createGraph, isGraphError, socialSchema } from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import { describeStore } from 'kithgraph/testing'
import { update } from 'kithgraph/update'

const graph = createGraph(createMemoryStore())
await graph.write([
  { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
  { op: 'putNode', node: { id: '2', type: 'photo', fields: { created_time: 1407087669000, from: '1' } } },
  { op: 'putEdge', edge: { source: '1', name: 'photos', target: '2', time: 1407087669000 } },
])
const token = await graph.tokens.issue({ viewer: '1', app: 'smoke', scopes: ['user_photos'] })
assert.deepEqual(await graph.getMe(token), { name: 'Ada', id: '1' })
const { data } = await graph.getEdge(token, { id: 'me', edge: 'photos', fields: 'created_time,from' })
assert.deepEqual(data, [
  { created_time: '2014-08-03T17:41:09+0000', from: { name: 'Ada', id: '1' }, id: '2' },
])
const error = await graph.getNode(token, { id: '3' }).catch(thrown => thrown)
assert.ok(isGraphError(error))
assert.equal(error.reason, 'node_not_found')
assert.ok(Object.keys(socialSchema.types).length === 7)
await update(graph, { type: 'user', id: '1' }, draft => {
  draft.about = 'Wrote the first program.'
})
assert.deepEqual(await graph.getMe(token, { fields: 'about' }), {
  about: 'Wrote the first program.',
  id: '1',
})
assert.equal(typeof describeStore, 'function')
assert.equal(typeof createPostgresStore, 'function')
assert.equal(typeof createSqliteStore, 'function')
assert.equal(typeof createRedisStore, 'function')

const server = createServer(toNodeListener(createHandler(graph)))
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const client = createClient(`http://127.0.0.1:${server.address().port}`)
assert.deepEqual(await client.getMe(token), await graph.getMe(token))
await assert.rejects(client.getNode(token, { id: '3' }), { code: 100, subcode: 33 })
server.close()
server.closeAllConnections()

const explorer = createExplorer(graph, { graphPath: '/' })
const page = await (await explorer(new Request('http://localhost/explorer/'))).text()
const [, script] = /src="\.\/(app-\w+\.js)"/.exec(page)
const app = await explorer(new Request(`http://localhost/explorer/${script}`))
assert.ok((await app.text()).length > 10_000)
await graph.close()
console.log(`the built package works on Node ${process.version}`)
