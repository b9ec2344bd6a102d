import fc, { type Arbitrary } from 'fast-check'
import type { ListMapping, TableModel, TypeMapping } from '../../../src/tables/model/table-model.ts'
import type { EdgeArguments, ItemSpec, PrintStyle } from '../naive-graph/query.ts'
import { callVariants, type Probe } from '../probes.ts'
import type { CallSpec } from '../query-arbitraries.ts'
import { nestedItems } from './nested-items.ts'
import { START, STATES } from './rows.ts'

/** Ids of nodes that worlds may have, and ids that no row can have. */
export const IDS = [
  ...[
    'me',
    'me',
    'account-1',
    'account-1',
    'account-2',
    'account-1',
    'account-2',
    'account-3',
    'account-9',
    'account-10',
  ],
  ...[
    'photo-1',
    'photo-1',
    'photo-2',
    'photo-9',
    'photo-10',
    'team-a',
    'team-B',
    'team-10',
    'team-A',
    'revision-1~1',
  ],
  ...['comment-0f0190f3-c2aa-7000-8000-00000000000f', 'comment-a00190f3-c2aa-7000-8000-0000000000a0'],
  ...['revision-2~10', 'account-99999999999999999999', 'photo-01', 'comment-1', 'nothing-1', 'root', 'root'],
]

/** An edge of a type, of which a store has several lists. */
type EdgeShape = {
  readonly name: string
  readonly target: TypeMapping
  readonly fields: readonly string[]
  readonly orders: readonly { readonly name: string; readonly isTime: boolean }[]
  readonly hasState: boolean
}

const orderNameOf = ({ name }: ListMapping): string | undefined => name.split('#')[1]

/** The edge of a stored list: its name without the values of parameters and the order. */
const edgeNameOf = ({ name }: ListMapping): string => name.split(/__|#/)[0] ?? ''

const ordersOf = (variants: readonly ListMapping[]): EdgeShape['orders'] => {
  const isTimeByOrder = new Map(variants.map(list => [orderNameOf(list), list.order.isTime]))
  return [...isTimeByOrder].flatMap(([order, isTime]) =>
    order === undefined
      ? [
          { name: 'chronological', isTime },
          { name: 'reverse_chronological', isTime },
        ]
      : [{ name: order, isTime }],
  )
}

const edgesIn = (lists: ReadonlyMap<string, ListMapping>): readonly EdgeShape[] => {
  const all = [...lists.values()]
  const firstByEdge = new Map(all.toReversed().map(list => [edgeNameOf(list), list]))
  return [...firstByEdge].map(([name, { target, data }]) => {
    const variants = all.filter(list => edgeNameOf(list) === name)
    return {
      name,
      target,
      fields: data.map(field => field.name),
      orders: ordersOf(variants),
      hasState: variants.some(list => list.name.includes('__')),
    }
  })
}

const SECONDS = START / 1000
const boundary = fc.option(
  fc.constantFrom<number | string>(
    SECONDS,
    SECONDS + 1,
    SECONDS - 1,
    '2024-01-01T00:00:00.001Z',
    '2024-01-02',
  ),
  { nil: undefined, freq: 2 },
)

const argumentsFor = ({ orders, hasState }: EdgeShape): Arbitrary<EdgeArguments> =>
  fc.option(fc.constantFrom(...orders), { nil: undefined }).chain(order =>
    fc.record({
      limit: fc.constantFrom(undefined, 1, 2, 3, 100),
      order: fc.constant(order?.name),
      summary: fc.constantFrom(undefined, true, true),
      since: order?.isTime === true ? boundary : fc.constant(undefined),
      until: order?.isTime === true ? boundary : fc.constant(undefined),
      parameters: hasState
        ? fc.option(fc.record({ state: fc.constantFrom(...STATES) }), { nil: undefined })
        : fc.constant(undefined),
    }),
  )

const MAX_DEPTH = 3

/** Creates the items of expressions below the nodes of a type. */
const itemsBelow = (
  type: TypeMapping,
  entryFields: readonly string[],
  depth: number,
): Arbitrary<ItemSpec[]> => {
  const refs = [...type.fields.values()].filter(field => field.kind === 'ref')
  const values = [...type.fields.values()].filter(field => field.kind === 'value').map(({ name }) => name)
  const edges = edgesIn(type.lists)
  const below = (target: TypeMapping, fields: readonly string[]): Arbitrary<ItemSpec[] | undefined> =>
    depth === MAX_DEPTH
      ? fc.constant(undefined)
      : fc
          .option(itemsBelow(target, fields, depth + 1), { nil: undefined })
          .map(items => (items?.length ? items : undefined))
  const names = fc.constantFrom('id', ...values, ...entryFields).map((name): ItemSpec[] => [{ name }])
  // Some refs are read twice, with fields of their own.
  const refItems = refs.map(({ name, target }) =>
    fc
      .tuple(below(target, []), fc.boolean(), below(target, []))
      .map(([fields, isTwice, others]): ItemSpec[] => [
        { name, fields },
        ...(isTwice ? [{ name, as: `${name}_again`, fields: others }] : []),
      ]),
  )
  const edgeItems = edges.map(edge =>
    fc
      .tuple(argumentsFor(edge), below(edge.target, edge.fields))
      .map(([args, fields]): ItemSpec[] => [{ name: edge.name, ...args, fields }]),
  )
  const item = fc.oneof({ arbitrary: names, weight: 3 }, ...refItems, ...edgeItems)
  return fc
    .uniqueArray(item, { selector: items => items[0]?.name, minLength: 1, maxLength: 4 })
    .map(items => items.flat())
}

const PLAIN: PrintStyle = { spaces: [], useCallSyntax: [] }

/** A call for a page of a list. */
export type PageCall = Extract<CallSpec, { method: 'getEdge' }>

const callOfEdge = (id: string, edge: EdgeShape): Arbitrary<PageCall> =>
  fc.tuple(argumentsFor(edge), itemsBelow(edge.target, edge.fields, 1)).map(([args, fields]) => ({
    ...{ method: 'getEdge' as const, id, edge: edge.name, fields, version: undefined, style: PLAIN },
    // A call has no member for an argument without a value.
    ...Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)),
  }))

const typeOf = (model: TableModel, id: string): TypeMapping | undefined =>
  model.typesByPrefix.get(id === 'me' ? 'account' : (id.split('-')[0] ?? ''))

const TIME_ORDERS: readonly unknown[] = [undefined, 'chronological', 'reverse_chronological']

const listsOf = (model: TableModel, id: string): ReadonlyMap<string, ListMapping> =>
  id === 'root' ? model.collections : (typeOf(model, id)?.lists ?? new Map())

/** Returns the list that a call reads, or that of other values of its parameters, which has the same order. */
export const findListOf = (model: TableModel, { id, edge, order }: PageCall): ListMapping => {
  const name = TIME_ORDERS.includes(order) ? undefined : order
  for (const list of listsOf(model, id).values())
    if (edgeNameOf(list) === edge && orderNameOf(list) === name) return list
  throw new Error(`${id} has no list ${edge} in ${order} order`)
}

/** Creates calls for pages of lists of some nodes and of the root. */
export const pageCalls = (model: TableModel, ids: readonly string[]): Arbitrary<PageCall> =>
  fc.oneof(...ids.flatMap(id => edgesIn(listsOf(model, id)).map(edge => callOfEdge(id, edge))))

const callSpecs = (model: TableModel, rootIds: readonly string[]): Arbitrary<CallSpec> => {
  const common = { version: undefined, style: PLAIN }
  const nodeCalls = rootIds.flatMap(id => {
    const type = typeOf(model, id)
    return type === undefined
      ? []
      : [
          fc
            .oneof(itemsBelow(type, [], 0), nestedItems(type, MAX_DEPTH))
            .map((fields): CallSpec => ({ ...common, method: 'getNode', id, type: undefined, fields })),
        ]
  })
  const account = typeOf(model, 'me')
  const accountIds = [...new Set(IDS.filter(id => id.startsWith('account')))]
  const ids = fc.subarray(accountIds, { minLength: 1 })
  const manyCalls =
    account === undefined
      ? []
      : [
          fc
            .tuple(ids, itemsBelow(account, [], 1))
            .map(([all, fields]): CallSpec => ({ ...common, method: 'getNodes', ids: all, fields })),
        ]
  return fc.oneof(
    { arbitrary: pageCalls(model, rootIds), weight: 3 },
    { arbitrary: fc.oneof(...nodeCalls), weight: 2 },
    ...manyCalls,
  )
}

/** Ids of nodes that most worlds have. Below them are nodes of every type. */
export const FULL_IDS: readonly string[] = ['me', 'me', 'root', 'root', 'root', 'account-2', 'photo-1']

/** Creates calls of a graph over the tables of worlds, in every way that a client can make them. */
export const worldProbes = (
  model: TableModel,
  rootIds: readonly string[] = IDS,
  maxLength = 5,
): Arbitrary<readonly Probe[]> =>
  fc.array(fc.record({ callSpec: callSpecs(model, rootIds), variant: callVariants }), {
    minLength: 1,
    maxLength,
    size: 'max',
  })

/** The ids whose membership in lists is checked. */
export const CHECKED_IDS: readonly string[] = [...new Set(IDS)].filter(id => id !== 'me' && id !== 'root')
