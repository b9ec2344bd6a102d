import type { EdgeRecord } from '../../../src/store/contract.ts'
import { type ListOrder, positionOf } from './list-order.ts'
import type { Position } from './positions.ts'
import { argumentsOf, type ItemSpec, parametersOf, printItems } from './query.ts'
import { Cursor, Link } from './result-parts.ts'

/** The options of a read of one list. */
export type ListOptions = Omit<ItemSpec, 'name'> & {
  readonly edge: string
  readonly after?: Position | undefined
  readonly before?: Position | undefined
}

/** The list of a page. */
type ListTarget = {
  readonly path: string
  /** The id of the source of the list. */
  readonly source: string
  readonly order: ListOrder
  readonly appScoped: boolean
  /** The text of the values of all parameters. */
  readonly values: string
  readonly options: ListOptions
}

/** Creates the cursors and links of a page. Returns `undefined` for an empty page. */
export const createPaging = (
  { path, source, order, appScoped, values, options }: ListTarget,
  page: readonly EdgeRecord[],
  hasMore: boolean,
): object | undefined => {
  const [first, last] = [page[0], page.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const list = { edge: options.edge, source, order, appScoped, values }
  const before = new Cursor(list, positionOf(order, first))
  const after = new Cursor(list, positionOf(order, last))
  const { fields = [] } = options
  const parameters = [
    ...(fields.length === 0 ? [] : [['fields', printItems(fields)] as const]),
    ...argumentsOf(options),
    ...parametersOf(options),
  ]
  const hasPrevious = options.before === undefined ? options.after !== undefined : hasMore
  const hasNext = options.before !== undefined || hasMore
  return {
    cursors: { before, after },
    ...(hasPrevious && { previous: new Link(path, parameters, ['before', before]) }),
    ...(hasNext && { next: new Link(path, parameters, ['after', after]) }),
  }
}
