import type { LoadRecord, Mutation } from '../schema/inference/mutation.ts'
import type { Schema } from '../schema/schema.ts'
import type { SocialSchema } from '../schema/social/social-schema.ts'
import type { WriteResult } from '../write/commit.ts'
import type { LoadCounts, LoadOptions } from '../write/load.ts'
import type { WriteOptions } from '../write/writer.ts'

/** The input of `load`: NDJSON in chunks of any size, or the objects of its lines. */
export type LoadSource<TSchema extends Schema = SocialSchema> =
  | Iterable<string | Uint8Array | LoadRecord<TSchema>>
  | AsyncIterable<string | Uint8Array | LoadRecord<TSchema>>

/** The writes of a graph. Writes are trusted and need no token. */
export interface Writes<TSchema extends Schema> {
  /**
   * Validates mutations against the schema, in order, and writes them to the store as one batch, together
   * with the mirrors of inverse and symmetric edges. Returns the `revision` of the write, if the store has
   * revisions. A read with this revision as its `minRevision` sees the write.
   *
   * @throws GraphError `invalid_mutation` for the first invalid mutation, with its index, its path, and the
   * expected and received values; `conflict` for a condition that does not hold, or the id of another batch. In
   * these cases, nothing is written. `store_error` if the store fails: the batch may have been written.
   * @throws TypeError if the store does not support conditions, increments and ids, or for a `session` of another
   * graph.
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
  write(mutations: readonly Mutation<TSchema>[], options?: WriteOptions): Promise<WriteResult>

  /**
   * Writes many records in bounded memory, one batch at a time. In the source, each node must precede its
   * edges. Loading the same source again changes nothing.
   *
   * @throws GraphError for the first invalid record, with its line, its path, and the expected and received
   * values, unless `onError` skips the record. The batches before this record remain written.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * const lines = ['{"node":{"id":"4","type":"user","fields":{"name":"Ada"}}}\n', '{"node":{"id":"5"}}\n']
   * console.log(await graph.load(lines, { onError: () => 'skip' })) // { nodes: 1, edges: 0, skipped: 1 }
   * ```
   */
  load(source: LoadSource<TSchema>, options?: LoadOptions): Promise<LoadCounts>
}
