import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../../src/base/session.ts'
import { TurnQueue } from '../../../src/base/turn-queue.ts'
import { Registry } from '../../../src/schema/registry.ts'
import { socialSchema } from '../../../src/schema/social/social-schema.ts'
import type { Store, StoreReadOptions, StoreReadRequest } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { createWriter } from '../../../src/write/writer.ts'
import { NOW, putEdge, putNode } from './written-graph.ts'

/**
 * Creates a writer for a store that increments its revision with each write. Records the reads and writes of
 * the store.
 */
const createRecordedWriter = () => {
  const memory = createMemoryStore()
  const reads: { request: StoreReadRequest; options: StoreReadOptions }[] = []
  const writes: number[] = []
  const writtenMutations: StoreMutation[] = []
  const store: Store = {
    ...memory,
    read: (request, options) => {
      reads.push({ request, options })
      return Promise.resolve(memory.read(request))
    },
    write: mutations => {
      memory.write(mutations)
      writtenMutations.push(...mutations)
      return Promise.resolve({ revision: `${writes.push(mutations.length)}` })
    },
  }
  const { write } = createWriter({
    registry: new Registry(socialSchema, undefined),
    store,
    now: () => NOW,
    turnQueue: new TurnQueue(),
    isSession: (_): _ is Session => false,
  })
  return { write, reads, writes, mutations: writtenMutations }
}

describe('the store calls of a write', () => {
  it('read each node of the write once, in one read', async () => {
    const { write, reads, writes } = createRecordedWriter()
    await write([
      putNode('1', 'user', { name: 'Ada' }),
      putNode('2', 'user', { name: 'Grace' }),
      putEdge('1', 'friends', '2'),
      { op: 'patchNode', id: '2', fields: { about: 'Compilers.' } },
    ])
    expect(reads.map(({ request }) => request)).toEqual([
      { nodes: ['1', '2'], ranges: [], checks: [], tokens: [] },
    ])
    expect(writes).toEqual([4])
  })

  it('read at most 500 nodes at a time', async () => {
    const { write, reads } = createRecordedWriter()
    await write(Array.from({ length: 1201 }, (_, index) => putNode(`${index + 1}`, 'photo')))
    expect(reads.map(({ request }) => request.nodes.length)).toEqual([500, 500, 201])
  })

  it('read the newest data, and return the revision of the write', async () => {
    const { write, reads } = createRecordedWriter()
    expect(await write([putNode('1', 'photo')])).toEqual({ revision: '1' })
    expect(await write([{ op: 'patchNode', id: '1', fields: { name: 'Sunset' } }])).toEqual({ revision: '2' })
    expect(reads.map(({ options }) => options.minRevision)).toEqual(['newest', 'newest'])
  })

  it('return a revision even if there is nothing to delete', async () => {
    const { write, writes } = createRecordedWriter()
    const edge = { source: '1', name: 'friends', target: '2' }
    expect(await write([{ op: 'deleteEdge', edge }])).toEqual({ revision: '1' })
    expect(writes).toEqual([0])
  })

  it('write both sides of a symmetric edge in one mutation', async () => {
    const { write, mutations } = createRecordedWriter()
    const edge = { source: '1', name: 'friends', target: '2' }
    const mirror = { source: '2', name: 'friends', target: '1' }
    await write([putNode('1', 'user', { name: 'Ada' }), putNode('2', 'user', { name: 'Grace' })])
    await write([putEdge('1', 'friends', '2', 5), { op: 'deleteEdge', edge }])
    expect(mutations.slice(2)).toEqual([
      { op: 'putEdge', edge: { ...edge, time: 5 }, mirror },
      { op: 'deleteEdge', edge, mirror },
    ])
  })

  it('write a symmetric edge of a node to itself without a mirror', async () => {
    const { write, mutations } = createRecordedWriter()
    await write([putNode('1', 'user', { name: 'Ada' }), putEdge('1', 'friends', '1', 5)])
    const edge = { source: '1', name: 'friends', target: '1', time: 5 }
    expect(mutations.slice(1)).toEqual([{ op: 'putEdge', edge }])
  })

  it('do not occur for an empty batch', async () => {
    const { write, reads, writes } = createRecordedWriter()
    await write([])
    expect([reads, writes]).toEqual([[], []])
  })
})
