import type { EdgeRecord } from '../../../src/store/contract.ts'
import type { Position } from './positions.ts'
import { argumentsOf, type ItemSpec, parametersOf, printItems } from './query.ts'
import { Cursor, Link } from './result-parts.ts'
import type { Order } from './world.ts'

/** The options of a read of one list. */
export type ListOptions = Omit<ItemSpec, 'name'> & {
  readonly edge: string
  readonly after?: Position | undefined
  readonly before?: Position | undefined
}

/** The list of a page. */
type ListTarget = {
  readonly path: string
  readonly order: Order
  readonly appScoped: boolean
  /** The text of the values of all parameters. */
  readonly values: string
  readonly options: ListOptions
}

/** Creates the cursors and links of a page. Returns `undefined` for an empty page. */
export const createPaging = (
  { path, order, appScoped, values, options }: ListTarget,
  page: readonly EdgeRecord[],
  hasMore: boolean,
): object | undefined => {
  const [first, last] = [page[0], page.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const list = { edge: options.edge, order, appScoped, values }
  const before = new Cursor(list, first)
  const after = new Cursor(list, last)
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
