import type { ListOrder } from './list-order.ts'
import type { Position } from './positions.ts'

/** An error of the naive graph, with its reason. */
export class NaiveError {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** A cursor without its text, which only the engine can create. */
export class Cursor {
  readonly edge: string
  /** The source of the list, if the cursor is valid only for its list: in an order by a number. */
  readonly source: string | undefined
  readonly order: ListOrder
  readonly position: Position
  /** Whether the list may contain nodes with app-scoped ids. Cursors of such lists have a different form. */
  readonly appScoped: boolean
  /** The text of the values of the edge's parameters. Equal lists have equal texts. */
  readonly values: string

  constructor(
    {
      edge,
      source,
      order,
      appScoped,
      values,
    }: Pick<Cursor, 'edge' | 'source' | 'order' | 'appScoped' | 'values'>,
    { time, target }: Position,
  ) {
    this.edge = edge
    this.source = order.kind === 'number' ? source : undefined
    this.appScoped = appScoped
    this.order = order
    this.values = values
    this.position = { time, target }
  }
}

/** A link to a page of an edge: its path, its parameters and its cursor. */
export class Link {
  readonly path: string
  readonly parameters: readonly (readonly [string, string])[]
  readonly cursor: readonly ['after' | 'before', Cursor]

  constructor(
    path: string,
    parameters: readonly (readonly [string, string])[],
    cursor: readonly ['after' | 'before', Cursor],
  ) {
    this.path = path
    this.parameters = parameters
    this.cursor = cursor
  }
}
