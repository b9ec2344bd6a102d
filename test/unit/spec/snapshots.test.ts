import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { ADA, ALAN, SCOPES, worldStore } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { openWorld } from './replaced-store.ts'

describe("consistency: 'snapshot'", () => {
  it('shows all waves of a call one state of the store', async () => {
    const memory = await worldStore()
    const asked = { id: ADA, fields: 'friends.limit(1){name}' }
    const askWith = async (consistency: 'wave' | 'snapshot'): Promise<unknown> => {
      const rename = (): void => {
        memory.write([{ op: 'patchNode', id: ALAN, fields: { name: 'A. M. Turing' } }])
      }
      memory.write([{ op: 'patchNode', id: ALAN, fields: { name: 'Alan Turing' } }])
      const store = delegateStore(memory, {
        read: (wave, options) => {
          const answer = memory.read(wave, options)
          rename()
          return answer
        },
        snapshot: () => {
          const snapshot = memory.snapshot()
          return {
            read: (wave, options) => {
              const answer = snapshot.read(wave, options)
              rename()
              return answer
            },
            close: () => snapshot.close(),
          }
        },
      })
      const { getNode, session } = createGraph(store, { consistency })
      return getNode(session({ viewer: ADA, app: 'demo', scopes: SCOPES }), asked)
    }
    expect(await askWith('snapshot')).toMatchObject({ friends: { data: [{ name: 'Alan Turing' }] } })
    expect(await askWith('wave')).toMatchObject({ friends: { data: [{ name: 'A. M. Turing' }] } })
  })

  it('closes every snapshot it took, also where the query fails', async () => {
    let open = 0
    const { graph, ada } = await openWorld(
      memory => ({
        snapshot: async () => {
          const snapshot = await memory.snapshot()
          open++
          return {
            read: (wave, options) => snapshot.read(wave, options),
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
    await faultOf(graph.getNode(ada, { id: '999' }))
    expect(open).toBe(0)
  })

  it('is refused for a store that has none', () => {
    const memory = createMemoryStore()
    const store = delegateStore(memory, { capabilities: { ...memory.capabilities, snapshots: false } })
    expect(() => createGraph(store, { consistency: 'snapshot' })).toThrow(
      new TypeError(
        "createGraph: consistency 'snapshot' needs a store with snapshots, and this one has none",
      ),
    )
  })
})
