import type { EdgeTable } from './edge-table.ts'
import type { SortOrder } from './sort-order.ts'
import type { Uint32Table } from './uint32-table.ts'

/**
 * The tables and columns of the edge lists of one direction. A short list is a chain: each edge contains the
 * number of the next one.
 */
export type EdgeListLayout = {
  readonly edges: EdgeTable
  /** A row per list: its first edge or the number of its blocks, its size (`list-size.ts`), other columns. */
  readonly rows: Uint32Table
  /** The column of the edge that distinguishes the edges of a list. */
  readonly keyColumn: number
  /** The column of an edge with the number of the next edge of its chain. */
  readonly nextColumn: number
  readonly order: SortOrder
  /** Whether chains are sorted too, the last edge first. Otherwise an edge is inserted without comparison. */
  readonly hasSortedChains: boolean
}
