import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { GraphError } from '../../../src/base/errors.ts'
import type { Session } from '../../../src/base/session.ts'
import { TurnQueue } from '../../../src/base/turn-queue.ts'
import { Registry } from '../../../src/schema/registry.ts'
import { socialSchema } from '../../../src/schema/social/social-schema.ts'
import type { Store } from '../../../src/store/contract.ts'
import { putNode } from '../../../src/testing/records.ts'
import { createWriter } from '../../../src/write/writer.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { findEdges, NOW, putEdge } from './written-graph.ts'

const SIGNAL = { signal: undefined }

/**
 * Creates a writer for the users 1, 2 and 3. Another writer deletes user 3 between the first check and the
 * first write.
 */
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
    turnQueue: new TurnQueue(),
    isSession: (_): _ is Session => false,
  })
  const edges = () => findEdges([...memory.dump()].map(line => JSON.parse(line)))
  return { ...writer, edges }
}

const LOST_RACE = { path: 'edge.target', expected: 'the id of an existing node', received: '"3"' }

/** Two symmetric edges, which are four edges in the store. */
const FRIENDS = [putEdge('1', 'friends', '2', 0), putEdge('1', 'friends', '3', 0)]
const RECORDS = FRIENDS.map(({ edge: { source, name, target } }) => ({
  edge: { source, name, target, time: 0 },
}))

describe('a mutation that became invalid through another writer', () => {
  it('is named by its index in the caller’s batch', async () => {
    const { write, edges } = createRacedWriter()
    const error = await expectGraphError(write(FRIENDS))
    expect(error.toJSON().error.error_data).toEqual({ reason: 'invalid_mutation', index: 1, ...LOST_RACE })
    expect(error.message).toBe(
      '(#100) Mutation 1: "edge.target" must be the id of an existing node; received "3"',
    )
    expect(edges()).toEqual([])
  })

  it('is named by its line in a load', async () => {
    const { load, edges } = createRacedWriter()
    const text = `\n${RECORDS.map(record => JSON.stringify(record)).join('\n')}`
    expect((await expectGraphError(load(text))).toJSON().error.error_data).toEqual({
      reason: 'invalid_mutation',
      line: 3,
      ...LOST_RACE,
    })
    expect(edges()).toEqual([])
  })

  it('is skipped if onError returns skip, and all others of the batch are written', async () => {
    const { load, edges } = createRacedWriter()
    const errors: unknown[] = []
    const invalid = { edge: { source: '1', name: 'frends', target: '2', time: 0 } }
    const counts = await load([invalid, ...RECORDS], {
      onError: ({ data: { line, path } }) => {
        errors.push([line, path])
        return 'skip'
      },
    })
    expect(counts).toEqual({ nodes: 0, edges: 1, skipped: 2 })
    expect(errors).toEqual([
      [1, 'edge.name'],
      [3, 'edge.target'],
    ])
    expect(edges().map(({ source, target }) => [source, target])).toEqual([
      ['1', '2'],
      ['2', '1'],
    ])
  })

  it('is reported with the message of the store if it is valid when it is checked again', async () => {
    const storeError = new GraphError('invalid_mutation', 'no such node', { index: 1 })
    const { write } = createRacedWriter({ write: () => Promise.reject(storeError) })
    expect((await expectGraphError(write(FRIENDS))).message).toBe(
      '(#100) Mutation 1 must be a mutation that the store accepts; received no such node',
    )
  })
})

describe('an error of a store that names no mutation of the batch', () => {
  it.each([
    new GraphError('store_error', 'no connection'),
    new GraphError('invalid_mutation', 'an index outside of the batch', { index: 4 }),
  ])('is passed on unchanged: %s', async error => {
    const { write } = createRacedWriter({ write: () => Promise.reject(error) })
    expect(await expectGraphError(write(FRIENDS))).toBe(error)
  })
})
