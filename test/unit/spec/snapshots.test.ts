import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { ADA, ALAN, createWorldStore, SCOPES } from '../../helpers/world.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { openWorldWithStore } from './open-world-with-store.ts'

describe("consistency: 'snapshot'", () => {
  it('gives all reads of a call the same state of the store', async () => {
    const memory = await createWorldStore()
    const call = { id: ADA, fields: 'friends.limit(1){name}' }
    const readWith = async (consistency: 'read' | 'snapshot'): Promise<unknown> => {
      const rename = (): void => {
        memory.write([{ op: 'patchNode', id: ALAN, fields: { name: 'A. M. Turing' } }])
      }
      memory.write([{ op: 'patchNode', id: ALAN, fields: { name: 'Alan Turing' } }])
      const store = delegateStore(memory, {
        read: (request, options) => {
          const result = memory.read(request, options)
          rename()
          return result
        },
        snapshot: () => {
          const snapshot = memory.snapshot()
          return {
            read: (request, options) => {
              const result = snapshot.read(request, options)
              rename()
              return result
            },
            close: () => snapshot.close(),
          }
        },
      })
      const { getNode, session } = createGraph(store, { consistency })
      return getNode(session({ viewer: ADA, app: 'demo', scopes: SCOPES }), call)
    }
    expect(await readWith('snapshot')).toMatchObject({ friends: { data: [{ name: 'Alan Turing' }] } })
    expect(await readWith('read')).toMatchObject({ friends: { data: [{ name: 'A. M. Turing' }] } })
  })

  it('closes every snapshot, even if the call fails', async () => {
    let open = 0
    const { graph, ada } = await openWorldWithStore(
      memory => ({
        snapshot: async () => {
          const snapshot = await memory.snapshot()
          open++
          return {
            read: (request, options) => snapshot.read(request, options),
            close: async () => {
              open--
              await snapshot.close()
            },
          }
        },
      }),
      { consistency: 'snapshot' },
    )
    await graph.getNode(ada, { id: ADA, fields: 'friends' })
    await expectGraphError(graph.getNode(ada, { id: '999' }))
    expect(open).toBe(0)
  })

  it('is rejected for a store without snapshots', () => {
    const memory = createMemoryStore()
    const store = delegateStore(memory, { capabilities: { ...memory.capabilities, snapshots: false } })
    expect(() => createGraph(store, { consistency: 'snapshot' })).toThrow(
      new TypeError(
        'createGraph: "consistency" must be "read" for a store without snapshots; received "snapshot"',
      ),
    )
  })
})
