import { createServer } from 'node:http'
import { createGraph } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { loosely } from '../unit/abuse/fault-of.ts'

const graph = createGraph(createMemoryStore())
const handler = createHandler(graph)

describe('a handler that is mounted in the wrong way', () => {
  it('says how it is mounted in a server of Node', async () => {
    const request = Object.assign(createServer(), { headers: { host: 'graph.test' } })
    for (const came of [request, undefined, '/me'])
      await expect(loosely(handler, came)).rejects.toThrow(
        new TypeError(
          'handler: expected a Request of the Web, came another; for servers of Node, mount toNodeListener(handler)',
        ),
      )
  })

  it.each([
    [undefined, 'undefined'],
    [{}, 'an empty object'],
    ['/graph', '"/graph"'],
  ])('is refused where it is none: %o', async (came, told) => {
    await expect(loosely(toNodeListener as () => unknown, came)).rejects.toThrow(
      new TypeError(`toNodeListener: expected what createHandler or createExplorer made, came ${told}`),
    )
  })
})
