import type { Position } from './positions.ts'
import type { Order } from './world.ts'

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
  readonly order: Order
  readonly position: Position
  /** Whether the list may contain nodes with app-scoped ids. Cursors of such lists have a different form. */
  readonly appScoped: boolean
  /** The text of the values of the edge's parameters. Equal lists have equal texts. */
  readonly values: string

  constructor(
    { edge, order, appScoped, values }: Pick<Cursor, 'edge' | 'order' | 'appScoped' | 'values'>,
    { time, target }: Position,
  ) {
    this.edge = edge
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
