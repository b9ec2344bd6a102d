import fc, { type Arbitrary } from 'fast-check'
import { type WorldOptions, worlds } from './graph-arbitraries.ts'
import { missingIdOf } from './id-kinds.ts'
import { findDeclaration, type SelectionParent } from './naive-graph/declarations.ts'
import { findOrder } from './naive-graph/list-order.ts'
import { type EdgeArguments, type ItemSpec, keyOf, type PrintStyle } from './naive-graph/query.ts'
import { type EdgeSpec, type SchemaSpec, VERSIONS, type World } from './naive-graph/world.ts'
import { ORDERS } from './order-arbitraries.ts'
import { chooseValues, parameterValues } from './parameter-arbitraries.ts'
import { omitUndefined } from './schema-arbitraries.ts'

/** A call as data: its method, its root, its fields and the style of its expression. */
export type CallSpec = {
  readonly fields: readonly ItemSpec[]
  readonly version: string | undefined
  readonly style: PrintStyle
} & (
  | { readonly method: 'getNode'; readonly id: string; readonly type: string | undefined }
  | { readonly method: 'getMe' }
  | { readonly method: 'getNodes'; readonly ids: readonly string[] }
  | ({ readonly method: 'getEdge'; readonly id: string; readonly edge: string } & EdgeArguments)
)

/**
 * A tree of choices from which `createItem` creates items for a schema. It does not contain the schema, so
 * that choices and schemas shrink independently.
 */
type ItemChoice = {
  readonly name: number
  readonly as: string | undefined
  readonly times: number | undefined
  readonly edge: EdgeArguments
  readonly below: readonly ItemChoice[] | undefined
  /** The mistake of the item, if it has one. */
  readonly mistake: 'name' | 'limit' | 'order' | 'since' | 'times' | 'fields' | undefined
}

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined })

const boundary = fc.oneof(
  fc.constantFrom(0, 1, 2, 5, 1_700_000_000),
  fc.constantFrom('1970-01-01T00:00:01Z', '1970-01-01T00:00:02.500Z', '1970-01-01', '2'),
)

/**
 * Valid arguments of an edge, except for orders and values of parameters that it may not have. With a summary,
 * the limit may be 0.
 */
export const edgeArguments: Arbitrary<EdgeArguments> = fc
  .record({
    limit: maybe(fc.constantFrom(1, 2, 1, 2, 3, 5, 100, 500)),
    order: maybe(fc.constantFrom('chronological', 'reverse_chronological', ...ORDERS)),
    summary: maybe(fc.boolean()),
    since: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, boundary),
    until: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, boundary),
    parameters: maybe(parameterValues),
    none: fc.boolean(),
  })
  .map(({ none, ...edge }) => (none && edge.summary === true ? { ...edge, limit: 0 } : edge))

/** Returns the arguments that all of the edges accept. A list that is not ordered by time has no time window. */
const fitArguments = (edges: readonly EdgeSpec[], { order, since, until, ...others }: EdgeArguments) => {
  const fitting = edges.every(edge => findOrder(edge, order) !== undefined) ? order : undefined
  const isByTime = edges.every(edge => findOrder(edge, fitting)?.kind === 'time')
  const parameters = chooseValues(edges, others.parameters ?? {})
  return { ...others, order: fitting, ...(isByTime && { since, until }), parameters }
}

const mistakes = fc.constantFrom('name', 'limit', 'order', 'since', 'times', 'fields')

const itemChoices = (depth: number, hasErrors: boolean): Arbitrary<readonly ItemChoice[]> =>
  fc.array(
    fc.record({
      name: fc.nat(30),
      as: fc.option(fc.constantFrom('also', 'other'), { nil: undefined, freq: 5 }),
      times: maybe(fc.integer({ min: 0, max: 3 })),
      edge: edgeArguments,
      below: depth <= 1 ? fc.constant(undefined) : maybe(itemChoices(depth - 1, hasErrors)),
      mistake: hasErrors
        ? fc.oneof({ weight: 60, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: mistakes })
        : fc.constant(undefined),
    }),
    { maxLength: 4, size: 'max' },
  )

/**
 * Returns all names that an expression may have below a parent, edges first, so that expressions are deep. A
 * name may be repeated.
 */
const namesBelow = ({ types }: SchemaSpec, parent: SelectionParent): readonly string[] => {
  const declared = parent.types.map(type => types[type] ?? { fields: {}, edges: {} })
  const edges = declared.flatMap(type => Object.entries(type.edges))
  const fields = declared.flatMap(type => Object.keys(type.fields))
  const names = edges.map(([name]) => name)
  const all = [...new Set([...names, ...fields, ...Object.keys(parent.edge?.fields ?? {}), 'id'])]
  // Edges with filters are chosen more often, because only some of their entries pass.
  const filtered = [...new Set(edges.flatMap(([name, { where }]) => (where === undefined ? [] : [name])))]
  // The fields of an edge with orders are chosen more often, because its entries are stored in several forms.
  const ordered = parent.edge?.orders === undefined ? [] : Object.keys(parent.edge.fields)
  return [...filtered, ...filtered, ...ordered, ...all]
}

const addMistake = (item: ItemSpec, mistake: ItemChoice['mistake'], isEdge: boolean): ItemSpec => {
  if (mistake === 'name') return { ...item, name: 'nothing' }
  if (mistake === 'times') return { ...item, times: 1 }
  if (mistake === 'fields') return { ...item, fields: [{ name: 'id' }] }
  if (mistake === 'limit') return { ...item, limit: 0 }
  if (mistake === 'order' && isEdge) return { ...item, order: 'sideways' }
  if (mistake === 'since' && isEdge) return { ...item, since: 'someday' }
  return item
}

const createItem = (schema: SchemaSpec, parent: SelectionParent, choice: ItemChoice): ItemSpec => {
  const names = namesBelow(schema, parent)
  const name = names[choice.name % names.length] ?? 'id'
  const declared = parent.types.flatMap(type => findDeclaration(schema, type, parent.edge, name) ?? [])
  const as = name === 'id' ? undefined : choice.as
  const [first] = declared
  if (first?.kind === 'edge') {
    const edges = declared.flatMap(one => (one.kind === 'edge' ? one.edge : []))
    const targets = edges.flatMap(edge => edge.targets)
    const fields =
      choice.below && createItems(schema, { types: [...new Set(targets)], edge: first.edge }, choice.below)
    const item = {
      name,
      as,
      ...fitArguments(edges, choice.edge),
      fields: fields?.length === 0 ? undefined : fields,
    }
    return omitUndefined(addMistake(item, choice.mistake, true))
  }
  const field = first?.kind === 'field' ? first.field : undefined
  if (field?.kind === 'ref') {
    const targets = declared.flatMap(one =>
      one.kind === 'field' && one.field.kind === 'ref' ? one.field.targets : [],
    )
    const fields =
      choice.below && createItems(schema, { types: [...new Set(targets)], edge: undefined }, choice.below)
    return omitUndefined(
      addMistake({ name, as, fields: fields?.length === 0 ? undefined : fields }, choice.mistake, false),
    )
  }
  const times = field?.kind === 'computed' ? choice.times : undefined
  // Fields below JSON select its parts, which is no mistake.
  const isJson = field?.kind === 'value' && field.of === 'json'
  const mistake = isJson && choice.mistake === 'fields' ? undefined : choice.mistake
  return omitUndefined(addMistake({ name, as, times }, mistake, false))
}

/** Creates items below a parent, each with a different key. */
const createItems = (
  schema: SchemaSpec,
  parent: SelectionParent,
  choices: readonly ItemChoice[],
): readonly ItemSpec[] => {
  const items = new Map(
    choices.map(choice => createItem(schema, parent, choice)).map(item => [keyOf(item), item]),
  )
  return [...items.values()]
}

const style: Arbitrary<PrintStyle> = fc.record({
  spaces: fc.array(fc.constantFrom('', ' ', '\n\t'), { maxLength: 5 }),
  useCallSyntax: fc.array(fc.boolean(), { maxLength: 3 }),
})

const callChoices = (hasErrors: boolean) =>
  fc.record({
    method: fc.constantFrom('getNode', 'getMe', 'getNodes', 'getEdge'),
    node: fc.nat(30),
    otherNodes: fc.array(fc.nat(30), { maxLength: 3 }),
    edge: fc.nat(4),
    arguments: edgeArguments,
    typed: fc.option(fc.constantFrom(0, 1), { nil: undefined, freq: 10 }),
    version: maybe(fc.constantFrom(...VERSIONS)),
    below: itemChoices(3, hasErrors),
    style,
  })

type CallChoices = ReturnType<typeof callChoices> extends Arbitrary<infer T> ? T : never

const createCallSpec = (world: World, chosen: CallChoices): CallSpec => {
  const { schema, nodes, viewer } = world
  const missingId = missingIdOf(world)
  const idAt = (index: number): string =>
    index === 0 ? 'me' : index === 30 ? missingId : (nodes[index % nodes.length]?.id ?? missingId)
  const id = idAt(chosen.node)
  const typeOf = (nodeId: string) => nodes.find(node => node.id === (nodeId === 'me' ? viewer : nodeId))?.type
  const { version, style } = chosen
  const own = typeOf(id) ?? schema.viewers[0] ?? ''
  const at = (types: readonly string[], edge: SelectionParent['edge'] = undefined) =>
    createItems(schema, { types, edge }, chosen.below)
  switch (chosen.method) {
    case 'getMe':
      return { method: 'getMe', fields: at(schema.viewers), version, style }
    case 'getNodes': {
      const ids = [...new Set([id, ...chosen.otherNodes.map(idAt)])]
      return { method: 'getNodes', ids, fields: at([own]), version, style }
    }
    case 'getEdge': {
      const edges = Object.entries(schema.types[own]?.edges ?? {})
      const [edge, spec] = edges[chosen.edge % Math.max(1, edges.length)] ?? ['nothing', undefined]
      const fields = at(spec?.targets ?? [], spec)
      const args = fitArguments(spec === undefined ? [] : [spec], chosen.arguments)
      return omitUndefined({ method: 'getEdge', id, edge, ...args, fields, version, style })
    }
    case 'getNode': {
      const type = chosen.typed === undefined ? undefined : Object.keys(schema.types)[chosen.typed]
      return { method: 'getNode', id, type, fields: at([type ?? own]), version, style }
    }
  }
}

/** A world and calls of its graph. With `hasErrors`, some calls have a mistake. */
export const worldsWithCalls = ({
  hasErrors = false,
  most = 5,
  from,
  ...options
}: WorldOptions & {
  hasErrors?: boolean
  most?: number
  /** The worlds. Default: those with the other options. */
  from?: Arbitrary<World> | undefined
} = {}): Arbitrary<{ readonly world: World; readonly calls: readonly CallSpec[] }> =>
  fc
    .tuple(
      from ?? worlds(options),
      fc.array(callChoices(hasErrors), { minLength: 1, maxLength: most, size: 'max' }),
    )
    .map(([world, chosen]) => ({ world, calls: chosen.map(one => createCallSpec(world, one)) }))
