import type { EdgeRecord } from '../../../src/store/contract.ts'
import { Cursor, Link } from './answer.ts'
import type { Position } from './positions.ts'
import { argumentsOf, type Item, printItems } from './query.ts'
import type { Order } from './world.ts'

/** How one list is asked for. */
export type ListAsked = Omit<Item, 'name'> & {
  readonly edge: string
  readonly after?: Position | undefined
  readonly before?: Position | undefined
}

/** A list of which a page is answered. */
type ListPlace = {
  readonly path: string
  readonly order: Order
  readonly appScoped: boolean
  readonly asked: ListAsked
}

/** The cursors and links of a page; none where it is empty. */
export const pagingOf = (
  { path, order, appScoped, asked }: ListPlace,
  page: readonly EdgeRecord[],
  more: boolean,
): object | undefined => {
  const [first, last] = [page[0], page.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const before = new Cursor(asked.edge, order, first, appScoped)
  const after = new Cursor(asked.edge, order, last, appScoped)
  const { fields = [] } = asked
  const parameters = [
    ...(fields.length === 0 ? [] : [['fields', printItems(fields)] as const]),
    ...argumentsOf(asked),
  ]
  const hasPrevious = asked.before === undefined ? asked.after !== undefined : more
  const hasNext = asked.before !== undefined || more
  return {
    cursors: { before, after },
    ...(hasPrevious && { previous: new Link(path, parameters, ['before', before]) }),
    ...(hasNext && { next: new Link(path, parameters, ['after', after]) }),
  }
}
