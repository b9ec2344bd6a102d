/**
 * Sends requests to a handler, each with a different expression, and prints the growth of the heap in bytes.
 * The arguments are the kind of the expressions and the number of requests.
 */
import { createGraph, createStaticAuth } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import type { WireRequest } from '../../src/http/wire.ts'
import { measureHeldBytes } from './collector.ts'
import { EXPRESSION_KINDS, requestFor, SCOPES, TYPES } from './distinct-requests.ts'

const kind = EXPRESSION_KINDS.find(name => name === process.argv[2])
const count = Number(process.argv[3])
if (kind === undefined || !Number.isSafeInteger(count)) throw new TypeError('expected a kind and a number')

const TOKEN = 'token-of-the-bench'
/**
 * The graph compiles and caches each expression. A query for more than one node then fails, because its cost
 * exceeds this limit. The error has no effect on the measurement, because the row measures only the cache.
 */
const LIMITS = { cost: 1 }
const EXPECTED = [undefined, 'query_too_expensive', 'field_not_found']

const store = createMemoryStore()
store.write(
  TYPES.map(({ name }, index) => ({ op: 'putNode', node: { id: `${index + 1}`, type: name, fields: {} } })),
)
const auth = createStaticAuth({ [TOKEN]: { viewer: '1', app: 'bench', scopes: SCOPES } })
const handler = createHandler(createGraph(store, { auth, limits: LIMITS }))

const send = async (request: WireRequest): Promise<void> => {
  const { body = '' } = await handler.respond({ ...request, headers: { authorization: `Bearer ${TOKEN}` } })
  const reason = JSON.parse(body).error?.error_data.reason
  if (!EXPECTED.includes(reason)) throw new Error(`${request.url}: ${body}`)
}

await send(requestFor(kind, 0))
const before = measureHeldBytes()
for (let turn = 1; turn <= count; turn++) await send(requestFor(kind, turn))
console.log(measureHeldBytes() - before)
