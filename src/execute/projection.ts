import type { NodeId } from '../base/ids.ts'
import type { Metadata } from '../schema/metadata.ts'
import type { Context } from './context.ts'
import type { List } from './envelope.ts'
import type { Gathered, PagesCell } from './gathered.ts'

/** Makes answers of what was gathered: objects for this process, or their JSON text for others. */
export interface Projection<TNode, TPage> {
  /** Item `index` of what was gathered; undefined where it is left out. `metadata` stands before a last id. */
  item(gathered: Gathered, index: number, metadata?: Metadata): TNode | undefined
  /** How the pages of one list are answered: page `index` of a cell in its envelope. */
  list(list: List): (cell: PagesCell, index: number, source: NodeId) => TPage
}

/** Starts the projection of one answer. */
export type StartProjection<TNode, TPage> = new (context: Context) => Projection<TNode, TPage>
