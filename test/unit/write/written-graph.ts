import { createMemoryStore } from 'kithgraph/memory'
import type { Session } from '../../../src/base/session.ts'
import { TurnQueue } from '../../../src/base/turn-queue.ts'
import { Registry } from '../../../src/schema/registry.ts'
import type { Schema } from '../../../src/schema/schema.ts'
import { socialSchema } from '../../../src/schema/social/social-schema.ts'
import { createWriter } from '../../../src/write/writer.ts'

export const NOW = Date.UTC(2012, 9, 1)

/** Creates an empty memory store with a writer. `records` returns the records of the store's dump. */
export const createWrittenGraph = (schema: Schema = socialSchema) => {
  const store = createMemoryStore()
  const writer = createWriter({
    registry: new Registry(schema, undefined),
    store,
    now: () => NOW,
    turnQueue: new TurnQueue(),
    isSession: (_): _ is Session => false,
  })
  const records = (): readonly unknown[] => [...store.dump()].map(line => JSON.parse(line))
  return { ...writer, store, records }
}

/** Creates a mutation that puts a node. */
export const putNode = (id: string, type: string, fields: { readonly [name: string]: unknown } = {}) =>
  ({ op: 'putNode', node: { id, type, fields } }) as const

/** Creates a mutation that puts an edge. */
export const putEdge = (source: string, name: string, target: string, time?: number | string | Date) =>
  ({ op: 'putEdge', edge: { source, name, target, time } }) as const

type Edge = { source: string; name: string; target: string; time: number; data?: unknown }

const isEdgeRecord = (record: unknown): record is { edge: Edge } =>
  typeof record === 'object' && record !== null && 'edge' in record

/** Returns the edges in the records of a dump. */
export const findEdges = (records: readonly unknown[]): readonly Edge[] =>
  records.filter(isEdgeRecord).map(({ edge }) => edge)
