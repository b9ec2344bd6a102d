import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { GraphError } from '../../../src/base/faults.ts'
import { Registry } from '../../../src/schema/registry.ts'
import { socialSchema } from '../../../src/schema/social/social-schema.ts'
import type { Store } from '../../../src/store/contract.ts'
import { putNode } from '../../../src/testing/records.ts'
import { createWriter } from '../../../src/write/writer.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { connect, edgeRecords, NOW } from './written-graph.ts'

const SIGNAL = { signal: undefined }

/** Ada, Grace and Lin, and a writer whose first write comes second: between its check and it, another deletes Lin. */
const createRacedWriter = (store: Partial<Store> = {}) => {
  const memory = createMemoryStore()
  memory.write(['1', '2', '3'].map(id => putNode(id, { name: `user ${id}` }, 'user')))
  let raced = false
  const write: Store['write'] = mutations => {
    if (!raced) memory.write([{ op: 'deleteNode', id: '3' }])
    raced = true
    return memory.write(mutations, SIGNAL)
  }
  const writer = createWriter({
    registry: new Registry(socialSchema, undefined),
    store: { ...memory, write, ...store },
    now: () => NOW,
  })
  const edges = () => edgeRecords([...memory.dump()].map(line => JSON.parse(line)))
  return { ...writer, edges }
}

const LOST = { path: 'edge.target', expected: 'the id of a node that exists', came: '"3"' }

/** Two friendships, of which the store is given four edges. */
const FRIENDS = [connect('1', 'friends', '2', 0), connect('1', 'friends', '3', 0)]
const RECORDS = FRIENDS.map(({ edge: { source, name, target } }) => ({
  edge: { source, name, target, time: 0 },
}))

describe('what only the store finds wrong, since another writer came between', () => {
  it('is named by its place in the batch, as its caller knows it', async () => {
    const { write, edges } = createRacedWriter()
    const error = await faultOf(write(FRIENDS))
    expect(error.data).toEqual({ reason: 'invalid_mutation', index: 1, ...LOST })
    expect(error.message).toBe(
      '(#100) Mutation 1: edge.target must be the id of a node that exists, came "3"',
    )
    expect(edges()).toEqual([])
  })

  it('is named by its line in a load', async () => {
    const { load, edges } = createRacedWriter()
    const text = `\n${RECORDS.map(record => JSON.stringify(record)).join('\n')}`
    expect((await faultOf(load(text))).data).toEqual({ reason: 'invalid_mutation', line: 3, ...LOST })
    expect(edges()).toEqual([])
  })

  it('is skipped where a load is told so, and all others of the batch are written', async () => {
    const { load, edges } = createRacedWriter()
    const faults: unknown[] = []
    const spoilt = { edge: { source: '1', name: 'frends', target: '2', time: 0 } }
    const counts = await load([spoilt, ...RECORDS], {
      onFault: ({ data: { line, path } }) => {
        faults.push([line, path])
        return 'skip'
      },
    })
    expect(counts).toEqual({ nodes: 0, edges: 1, skipped: 2 })
    expect(faults).toEqual([
      [1, 'edge.name'],
      [3, 'edge.target'],
    ])
    expect(edges().map(({ source, target }) => [source, target])).toEqual([
      ['1', '2'],
      ['2', '1'],
    ])
  })

  it('is told in the words of the store, where these are all there is', async () => {
    const refusal = new GraphError('invalid_mutation', 'no such node', { index: 2 })
    const { write } = createRacedWriter({ write: () => Promise.reject(refusal) })
    expect((await faultOf(write(FRIENDS))).message).toBe(
      '(#100) Mutation 1: must be what the store takes, came no such node',
    )
  })
})

describe('what a store throws beside that', () => {
  it.each([
    new GraphError('store_fault', 'no connection'),
    new GraphError('invalid_mutation', 'of none that it was given', { index: 4 }),
  ])('goes out as it is: %s', async fault => {
    const { write } = createRacedWriter({ write: () => Promise.reject(fault) })
    expect(await faultOf(write(FRIENDS))).toBe(fault)
  })
})
