import { createServer } from 'node:http'
import { createGraph } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped } from '../unit/abuse/expect-graph-error.ts'

const graph = createGraph(createMemoryStore())
const handler = createHandler(graph)

describe('a handler that is mounted incorrectly', () => {
  it('throws a TypeError that names toNodeListener if it does not receive a Request', async () => {
    const request = Object.assign(createServer(), { headers: { host: 'graph.test' } })
    for (const received of [request, undefined, '/me'])
      await expect(callUntyped(handler, received)).rejects.toThrow(
        new TypeError(
          'handler: "request" must be a Request of the Fetch API (on a Node server, mount toNodeListener(handler)); received another value',
        ),
      )
  })

  it.each([
    [undefined, 'undefined'],
    [{}, 'an empty object'],
    ['/graph', '"/graph"'],
  ])('makes toNodeListener throw a TypeError if it is not a handler: %o', async (received, message) => {
    await expect(callUntyped(toNodeListener as () => unknown, received)).rejects.toThrow(
      new TypeError(`toNodeListener: "handler" must be a handler or an Explorer; received ${message}`),
    )
  })
})
