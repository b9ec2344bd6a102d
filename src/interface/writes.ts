import type { MutationInput, RecordInput } from '../schema/inference/input.ts'
import type { Schema } from '../schema/schema.ts'
import type { LoadCounts, LoadOptions } from '../write/load.ts'
import type { WriteOptions } from '../write/writer.ts'

/** What a load reads: NDJSON in chunks cut anywhere, or the objects that its lines would hold. */
export type LoadSource<TSchema extends Schema> =
  | Iterable<string | Uint8Array | RecordInput<TSchema['types']>>
  | AsyncIterable<string | Uint8Array | RecordInput<TSchema['types']>>

/** The writes of a graph: the trusted side, without a token. */
export interface Writes<TSchema extends Schema> {
  /**
   * Checks changes against the schema, in order, and hands them to the store as one batch; the mirrors of inverse and
   * symmetric edges are written with them. Answers the version that a read must have seen to see the write, where the
   * store has versions.
   *
   * @throws GraphError `invalid_mutation` for the first that cannot be written, with its index and path, what was
   * expected and what came: then nothing is written. `store_fault` for what the store throws.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * await graph.write([
   *   { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } },
   *   { op: 'putNode', node: { id: '5', type: 'user', fields: { name: 'Grace' } } },
   *   { op: 'putEdge', edge: { source: '4', name: 'friends', target: '5' } },
   *   { op: 'patchNode', id: '4', fields: { about: 'Wrote the first program.' } },
   * ])
   * const session = graph.session({ viewer: '5', app: 'demo', scopes: ['user_friends'] })
   * console.log(await graph.hasEdge(session, { id: 'me', edge: 'friends', target: '4' })) // true
   * ```
   */
  write(
    mutations: readonly MutationInput<TSchema['types']>[],
    options?: WriteOptions,
  ): Promise<{ version: string | undefined }>

  /**
   * Writes many records in bounded memory, a batch at a time. A node comes before its edges; the same load done again
   * changes nothing.
   *
   * @throws GraphError for the first record at fault, with its line and path, what was expected and what came, unless
   * `onFault` says to skip it: the batches before it stay written.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const lines = ['{"node":{"id":"4","type":"user","fields":{"name":"Ada"}}}\n', '{"node":{"id":"5"}}\n']
   * console.log(await graph.load(lines, { onFault: () => 'skip' })) // { nodes: 1, edges: 0, skipped: 1 }
   * ```
   */
  load(source: LoadSource<TSchema>, options?: LoadOptions): Promise<LoadCounts>
}
