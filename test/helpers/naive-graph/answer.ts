import type { Position } from './positions.ts'
import type { Order } from './world.ts'

/** Why the naive graph refuses a query. */
export class NaiveFault {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** A cursor, whose text is the engine's business. */
export class Cursor {
  readonly edge: string
  readonly order: Order
  readonly position: Position
  /** Whether the list may lead to nodes with app-scoped ids: its cursors are written otherwise. */
  readonly appScoped: boolean

  constructor(edge: string, order: Order, { time, target }: Position, appScoped: boolean) {
    this.edge = edge
    this.appScoped = appScoped
    this.order = order
    this.position = { time, target }
  }
}

/** A link to a page of an edge: where it leads and what it carries, the cursor apart. */
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
