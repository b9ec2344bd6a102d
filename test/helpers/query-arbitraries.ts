import fc, { type Arbitrary } from 'fast-check'
import { MISSING_ID, type WorldOptions, worlds } from './graph-arbitraries.ts'
import { declaredAs, type Place } from './naive-graph/declared.ts'
import { type EdgeArguments, type Item, keyOf, type Style } from './naive-graph/query.ts'
import { type SchemaSpec, VERSIONS, type World } from './naive-graph/world.ts'
import { compact } from './schema-arbitraries.ts'

/** What a call asks, as data: a root, what is asked of it, and how that is written. */
export type Question = {
  readonly fields: readonly Item[]
  readonly version: string | undefined
  readonly style: Style
} & (
  | { readonly method: 'getNode'; readonly id: string; readonly type: string | undefined }
  | { readonly method: 'getMe' }
  | { readonly method: 'getNodes'; readonly ids: readonly string[] }
  | ({ readonly method: 'getEdge'; readonly id: string; readonly edge: string } & EdgeArguments)
)

/** A tree of choices that means something only once a schema is there to choose from: so both shrink by themselves. */
type Choice = {
  readonly name: number
  readonly as: string | undefined
  readonly times: number | undefined
  readonly edge: EdgeArguments
  readonly below: readonly Choice[] | undefined
  /** What is wrong with the item. */
  readonly wrong: 'name' | 'limit' | 'order' | 'since' | 'times' | 'fields' | undefined
}

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined })

const boundary = fc.oneof(
  fc.constantFrom(0, 1, 2, 5, 1_700_000_000),
  fc.constantFrom('1970-01-01T00:00:01Z', '1970-01-01T00:00:02.500Z', '1970-01-01', '2'),
)

/** The arguments of an edge, all of them good: of a summary, the count alone may be asked for. */
export const edgeArguments: Arbitrary<EdgeArguments> = fc
  .record({
    limit: maybe(fc.constantFrom(1, 2, 1, 2, 3, 5, 100, 500)),
    order: maybe(fc.constantFrom('chronological', 'reverse_chronological')),
    summary: maybe(fc.boolean()),
    since: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, boundary),
    until: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, boundary),
    none: fc.boolean(),
  })
  .map(({ none, ...edge }) => (none && edge.summary === true ? { ...edge, limit: 0 } : edge))

const wrong = fc.constantFrom('name', 'limit', 'order', 'since', 'times', 'fields')

const choicesDownTo = (depth: number, faults: boolean): Arbitrary<readonly Choice[]> =>
  fc.array(
    fc.record({
      name: fc.nat(30),
      as: fc.option(fc.constantFrom('also', 'other'), { nil: undefined, freq: 5 }),
      times: maybe(fc.integer({ min: 0, max: 3 })),
      edge: edgeArguments,
      below: depth <= 1 ? fc.constant(undefined) : maybe(choicesDownTo(depth - 1, faults)),
      wrong: faults
        ? fc.oneof({ weight: 60, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: wrong })
        : fc.constant(undefined),
    }),
    { maxLength: 4, size: 'max' },
  )

/** All names that an expression may have at a place, edges in front so that trees grow. */
const namesAt = ({ types }: SchemaSpec, place: Place): readonly string[] => {
  const declared = place.types.map(type => types[type] ?? { fields: {}, edges: {} })
  const edges = declared.flatMap(type => Object.keys(type.edges))
  const fields = declared.flatMap(type => Object.keys(type.fields))
  return [...new Set([...edges, ...fields, ...Object.keys(place.edge?.fields ?? {}), 'id'])]
}

const spoiled = (item: Item, wrong: Choice['wrong'], isEdge: boolean): Item => {
  if (wrong === 'name') return { ...item, name: 'nothing' }
  if (wrong === 'times') return { ...item, times: 1 }
  if (wrong === 'fields') return { ...item, fields: [{ name: 'id' }] }
  if (wrong === 'limit') return { ...item, limit: 0 }
  if (wrong === 'order' && isEdge) return { ...item, order: 'sideways' }
  if (wrong === 'since' && isEdge) return { ...item, since: 'someday' }
  return item
}

const itemAt = (schema: SchemaSpec, place: Place, choice: Choice): Item => {
  const names = namesAt(schema, place)
  const name = names[choice.name % names.length] ?? 'id'
  const declared = place.types.flatMap(type => declaredAs(schema, type, place.edge, name) ?? [])
  const as = name === 'id' ? undefined : choice.as
  const [first] = declared
  if (first?.kind === 'edge') {
    const targets = declared.flatMap(one => (one.kind === 'edge' ? one.edge.targets : []))
    const fields =
      choice.below && itemsAt(schema, { types: [...new Set(targets)], edge: first.edge }, choice.below)
    const item = { name, as, ...choice.edge, fields: fields?.length === 0 ? undefined : fields }
    return compact(spoiled(item, choice.wrong, true))
  }
  const field = first?.kind === 'field' ? first.field : undefined
  if (field?.kind === 'ref') {
    const targets = declared.flatMap(one =>
      one.kind === 'field' && one.field.kind === 'ref' ? one.field.targets : [],
    )
    const fields =
      choice.below && itemsAt(schema, { types: [...new Set(targets)], edge: undefined }, choice.below)
    return compact(
      spoiled({ name, as, fields: fields?.length === 0 ? undefined : fields }, choice.wrong, false),
    )
  }
  const times = field?.kind === 'computed' ? choice.times : undefined
  return compact(spoiled({ name, as, times }, choice.wrong, false))
}

/** Items for a place, no key twice. */
const itemsAt = (schema: SchemaSpec, place: Place, choices: readonly Choice[]): readonly Item[] => {
  const items = new Map(choices.map(choice => itemAt(schema, place, choice)).map(item => [keyOf(item), item]))
  return [...items.values()]
}

const style: Arbitrary<Style> = fc.record({
  spaces: fc.array(fc.constantFrom('', ' ', '\n\t'), { maxLength: 5 }),
  old: fc.array(fc.boolean(), { maxLength: 3 }),
})

const choices = (faults: boolean) =>
  fc.record({
    method: fc.constantFrom('getNode', 'getMe', 'getNodes', 'getEdge'),
    node: fc.nat(30),
    more: fc.array(fc.nat(30), { maxLength: 3 }),
    edge: fc.nat(4),
    arguments: edgeArguments,
    typed: fc.option(fc.constantFrom(0, 1), { nil: undefined, freq: 10 }),
    version: maybe(fc.constantFrom(...VERSIONS)),
    below: choicesDownTo(3, faults),
    style,
  })

type Choices = ReturnType<typeof choices> extends Arbitrary<infer T> ? T : never

const questionOf = ({ schema, nodes, viewer }: World, chosen: Choices): Question => {
  const idAt = (index: number): string =>
    index === 0 ? 'me' : index === 30 ? MISSING_ID : (nodes[index % nodes.length]?.id ?? MISSING_ID)
  const id = idAt(chosen.node)
  const typeOf = (asked: string) => nodes.find(node => node.id === (asked === 'me' ? viewer : asked))?.type
  const { version, style } = chosen
  const own = typeOf(id) ?? schema.viewers[0] ?? ''
  const at = (types: readonly string[], edge: Place['edge'] = undefined) =>
    itemsAt(schema, { types, edge }, chosen.below)
  switch (chosen.method) {
    case 'getMe':
      return { method: 'getMe', fields: at(schema.viewers), version, style }
    case 'getNodes': {
      const asked = [...new Set([id, ...chosen.more.map(idAt)])]
      return { method: 'getNodes', ids: asked, fields: at([own]), version, style }
    }
    case 'getEdge': {
      const edges = Object.entries(schema.types[own]?.edges ?? {})
      const [edge, spec] = edges[chosen.edge % Math.max(1, edges.length)] ?? ['nothing', undefined]
      const fields = at(spec?.targets ?? [], spec)
      return compact({ method: 'getEdge', id, edge, ...chosen.arguments, fields, version, style })
    }
    case 'getNode': {
      const type = chosen.typed === undefined ? undefined : Object.keys(schema.types)[chosen.typed]
      return { method: 'getNode', id, type, fields: at([type ?? own]), version, style }
    }
  }
}

/** A world and questions about it. With `faults`, some are wrong in one way or another. */
export const inquiries = ({
  faults = false,
  most = 5,
  ...options
}: WorldOptions & {
  faults?: boolean
  most?: number
} = {}): Arbitrary<{ readonly world: World; readonly asked: readonly Question[] }> =>
  fc
    .tuple(worlds(options), fc.array(choices(faults), { minLength: 1, maxLength: most, size: 'max' }))
    .map(([world, chosen]) => ({ world, asked: chosen.map(one => questionOf(world, one)) }))
