import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { archiveRecords } from '../../examples/social-archive/records.ts'
import { archiveSchema } from '../../examples/social-archive/schema.ts'
import type { Mutation, Store } from '../../src/store/contract.ts'

type ArchiveRecord = ReturnType<typeof archiveRecords> extends AsyncIterable<infer TRecord> ? TRecord : never

/** Some records of one kind, and all that a graph writes for them, mirrors of edges included. */
export type ArchiveChunk = {
  readonly kind: 'node' | 'edge'
  readonly records: readonly ArchiveRecord[]
  readonly mutations: readonly Mutation[]
}

const SIZE = 20_000

const kindOf = (record: ArchiveRecord): ArchiveChunk['kind'] => ('node' in record ? 'node' : 'edge')

/** Reads an archive piece by piece: all nodes, then all edges. */
export async function* archiveChunks(path: string): AsyncGenerator<ArchiveChunk> {
  const memory = createMemoryStore()
  let mutations: Mutation[] = []
  const recorder: Store = {
    ...memory,
    write: written => {
      for (const mutation of written) mutations.push(mutation)
      return memory.write(written)
    },
  }
  const graph = createGraph(recorder, { schema: archiveSchema })
  const chunkOf = async (records: readonly ArchiveRecord[], kind: ArchiveChunk['kind']) => {
    mutations = []
    await graph.load(records)
    return { kind, records, mutations }
  }
  let records: ArchiveRecord[] = []
  let kind: ArchiveChunk['kind'] = 'node'
  for await (const record of archiveRecords(path)) {
    if (records.length === SIZE || (records.length > 0 && kindOf(record) !== kind)) {
      yield await chunkOf(records, kind)
      records = []
    }
    kind = kindOf(record)
    records.push(record)
  }
  if (records.length > 0) yield await chunkOf(records, kind)
}
