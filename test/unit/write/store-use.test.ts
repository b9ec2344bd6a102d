import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { Registry } from '../../../src/schema/registry.ts'
import { socialSchema } from '../../../src/schema/social/social-schema.ts'
import type { ReadOptions, Store, Wave } from '../../../src/store/contract.ts'
import { createWriter } from '../../../src/write/writer.ts'
import { connect, NOW, put } from './written-graph.ts'

/** A writer on a store that counts its versions up, and all that the store was asked for. */
const createWatchedWriter = () => {
  const memory = createMemoryStore()
  const reads: { wave: Wave; options: ReadOptions }[] = []
  const writes: number[] = []
  const store: Store = {
    ...memory,
    read: (wave, options) => {
      reads.push({ wave, options })
      return Promise.resolve(memory.read(wave))
    },
    write: mutations => {
      memory.write(mutations)
      return Promise.resolve({ version: `${writes.push(mutations.length)}` })
    },
  }
  const { write } = createWriter({ registry: new Registry(socialSchema, undefined), store, now: () => NOW })
  return { write, reads, writes }
}

describe('a write asks the store', () => {
  it('for each node that it is about, once, in one wave', async () => {
    const { write, reads, writes } = createWatchedWriter()
    await write([
      put('1', 'user', { name: 'Ada' }),
      put('2', 'user', { name: 'Grace' }),
      connect('1', 'friends', '2'),
      { op: 'patchNode', id: '2', fields: { about: 'Compilers.' } },
    ])
    expect(reads.map(({ wave }) => wave)).toEqual([{ nodes: ['1', '2'], ranges: [], tests: [], tokens: [] }])
    expect(writes).toEqual([5])
  })

  it('for at most 500 nodes a wave', async () => {
    const { write, reads } = createWatchedWriter()
    await write(Array.from({ length: 1201 }, (_, index) => put(`${index + 1}`, 'photo')))
    expect(reads.map(({ wave }) => wave.nodes.length)).toEqual([500, 500, 201])
  })

  it('to answer what is there now, whoever wrote it, and tells the version of what it wrote', async () => {
    const { write, reads } = createWatchedWriter()
    expect(await write([put('1', 'photo')])).toEqual({ version: '1' })
    expect(await write([{ op: 'patchNode', id: '1', fields: { name: 'Sunset' } }])).toEqual({ version: '2' })
    expect(reads.map(({ options }) => options.atLeast)).toEqual(['newest', 'newest'])
  })

  it('for a version too where there was nothing to delete: reads may be behind what it found', async () => {
    const { write, writes } = createWatchedWriter()
    const edge = { source: '1', name: 'friends', target: '2' }
    expect(await write([{ op: 'deleteEdge', edge }])).toEqual({ version: '1' })
    expect(writes).toEqual([0])
  })

  it('to put an edge to itself once, though it is symmetric', async () => {
    const { write, writes } = createWatchedWriter()
    await write([put('1', 'user', { name: 'Ada' }), connect('1', 'friends', '1')])
    expect(writes).toEqual([2])
  })

  it('for nothing where there is nothing to write', async () => {
    const { write, reads, writes } = createWatchedWriter()
    await write([])
    expect([reads, writes]).toEqual([[], []])
  })
})
