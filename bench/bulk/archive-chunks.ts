import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { readRecords } from '../../examples/social-archive/records.ts'
import { archiveSchema } from '../../examples/social-archive/schema.ts'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'

type ArchiveRecord = ReturnType<typeof readRecords> extends AsyncIterable<infer TRecord> ? TRecord : never

/**
 * Some records of one kind, and all mutations that a graph writes for these records, including mirrored
 * edges.
 */
export type ArchiveChunk = {
  readonly kind: 'node' | 'edge'
  readonly records: readonly ArchiveRecord[]
  readonly mutations: readonly StoreMutation[]
}

const SIZE = 20_000

const recordKind = (record: ArchiveRecord): ArchiveChunk['kind'] => ('node' in record ? 'node' : 'edge')

/** Reads an archive chunk by chunk: all nodes, then all edges. */
export async function* readArchiveChunks(path: string): AsyncGenerator<ArchiveChunk> {
  const memory = createMemoryStore()
  let mutations: StoreMutation[] = []
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
  for await (const record of readRecords(path)) {
    if (records.length === SIZE || (records.length > 0 && recordKind(record) !== kind)) {
      yield await chunkOf(records, kind)
      records = []
    }
    kind = recordKind(record)
    records.push(record)
  }
  if (records.length > 0) yield await chunkOf(records, kind)
}
