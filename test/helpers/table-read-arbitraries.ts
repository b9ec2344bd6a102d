import fc from 'fast-check'
import type {
  AheadStep,
  Condition,
  EdgeRange,
  ReadAhead,
  StoreReadRequest,
  WantedFields,
} from '../../src/store/contract.ts'
import type { ListMapping, TableModel, TypeMapping } from '../../src/tables/model/table-model.ts'
import type { ListReference } from './list-reference.ts'

/** Conditions about the nodes of some types. */
export type ConditionsByType = { readonly [type: string]: readonly Condition[] }

/** Conditions about nodes of the studio. The last ones need the node of a ref. */
const STUDIO_CONDITIONS: ConditionsByType = {
  photo: [
    { kind: 'field', field: 'state', anyOf: ['public', 'other', 5] },
    { kind: 'field', field: 'caption', anyOf: ['caption 4', 'caption 7', 'caption 10'] },
    { kind: 'field', field: 'width', anyOf: [3, 1.5, -0, 2 ** 40, '8'] },
    { kind: 'field', field: 'missing', anyOf: ['a'] },
    { kind: 'node', id: 'photo-5' },
    { kind: 'node', of: 'owner', id: 'account-2' },
    { kind: 'node', of: 'owner', id: 'photo-2' },
    { kind: 'edge', name: 'comments', to: 'comment-eccbc87e-4b5c-e2fe-2830-8fd9f2a7baf3' },
    { kind: 'edge', name: 'following', of: 'owner', to: 'account-5', where: { note: ['note 2', 'note 4'] } },
    { kind: 'edge', name: 'following', of: 'owner', from: 'account-2' },
    { kind: 'edge', name: 'following', of: 'owner', from: 'account-9' },
    { kind: 'edge', name: 'following', of: 'owner', from: 'account-4', where: { muted: true } },
  ],
  account: [
    { kind: 'field', field: 'mood', anyOf: ['busy', 'no mood'] },
    { kind: 'field', field: 'name', anyOf: ['name 1', 'name 2', '\u0000', '\ud800'] },
    { kind: 'field', field: 'email', anyOf: ['Mail3@example.com', 'mail4@EXAMPLE.com'] },
    { kind: 'field', field: 'balance', anyOf: ['1.2500', '2.5', 'NaN'] },
    { kind: 'field', field: 'created_time', anyOf: [0] },
    { kind: 'node', id: 'account-3' },
    { kind: 'node', of: 'manager', id: 'account-1' },
    { kind: 'edge', name: 'followers', to: 'account-2' },
    { kind: 'edge', name: 'teams', to: 'team-team.201', where: { role: ['owner'] } },
  ],
  comment: [
    { kind: 'node', of: 'author', id: 'account-6' },
    { kind: 'node', of: 'body', id: 'account-6' },
    { kind: 'edge', name: 'following', of: 'author', from: 'account-2' },
  ],
}

/** What reads are about. */
type ReadWorld = { readonly model: TableModel; readonly conditions: ConditionsByType }

const conditionsOf = (
  { conditions }: ReadWorld,
  type: TypeMapping,
): fc.Arbitrary<readonly Condition[] | undefined> => {
  const ofType = [...(conditions[type.name] ?? [])]
  const maxLength = Math.min(3, ofType.length)
  return fc.option(fc.subarray(ofType, { maxLength }), { nil: undefined })
}

const wantedFieldsOf = ({ model }: ReadWorld): fc.Arbitrary<WantedFields | undefined> =>
  fc.option(
    fc
      .tuple(
        ...[...model.types.values()].map(({ name, fields }) =>
          fc.option(fc.subarray([...fields.keys()]), { nil: undefined }).map(names => [name, names] as const),
        ),
      )
      .map(entries => new Map(entries.map(([name, names]) => [name, names && new Set(names)]))),
    { nil: undefined },
  )

const limits = fc.integer({ min: 0, max: 6 })
const pageLimits = fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined })
const directions = fc.constantFrom('newest' as const, 'oldest' as const)
const maxExamined = fc.integer({ min: 1, max: 20 })

const stepOf = (world: ReadWorld, type: TypeMapping, depth: number): fc.Arbitrary<AheadStep> => {
  const refs = [...type.fields.values()].filter(field => field.kind === 'ref')
  const lists = [...type.lists.values()].map(list =>
    fc.record({
      kind: fc.constant('list' as const),
      name: fc.constant(list.name),
      direction: directions,
      limit: limits,
      pageLimit: pageLimits,
      count: fc.boolean(),
      fields: wantedFieldsOf(world),
      ahead: aheadOf(world, [list.target], depth + 1),
      conditions: conditionsOf(world, list.target),
      maxExamined,
    }),
  )
  const refSteps = refs.map(field =>
    fc.record({
      kind: fc.constant('ref' as const),
      field: fc.constant(field.name),
      fields: wantedFieldsOf(world),
      ahead: aheadOf(world, [field.target], depth + 1),
      conditions: conditionsOf(world, field.target),
    }),
  )
  // Mostly refs, so that some records have two steps of the same one.
  return fc.oneof(...lists, ...refSteps, ...refSteps)
}

const MAX_DEPTH = 3
const aheadOf = (
  world: ReadWorld,
  types: readonly TypeMapping[],
  depth: number,
): fc.Arbitrary<ReadAhead | undefined> => {
  if (depth > MAX_DEPTH) return fc.constant(undefined)
  const steps = types
    .filter(({ lists, fields }) => lists.size + [...fields.values()].filter(f => f.kind === 'ref').length > 0)
    .map(type =>
      fc
        .array(stepOf(world, type, depth), { minLength: 1, maxLength: 2 })
        .map(list => [type.name, list] as const),
    )
  return fc.option(
    fc.tuple(...steps).map(entries => new Map(entries)),
    { nil: undefined },
  )
}

const rangeOf = (
  world: ReadWorld,
  reference: ListReference,
  list: ListMapping,
  source: string,
): fc.Arbitrary<EdgeRange> => {
  const entries = reference.lists.get(`${source} ${list.name}`)?.entries ?? []
  const positions = entries.map(({ time, target, key }) => ({ time, target, key }))
  const times = list.order.isTime ? entries.map(({ time }) => time) : []
  const timeBound =
    times.length === 0 ? fc.constant(undefined) : fc.option(fc.constantFrom(...times), { nil: undefined })
  const from =
    positions.length === 0
      ? fc.constant(undefined)
      : fc.option(fc.constantFrom(...positions), { nil: undefined })
  return fc.record({
    source: fc.constant(source),
    name: fc.constant(list.name),
    direction: directions,
    from,
    minTime: timeBound,
    maxTime: timeBound,
    limit: limits,
    count: fc.boolean(),
    ahead: aheadOf(world, [list.target], 1),
    conditions: conditionsOf(world, list.target),
    maxExamined,
  })
}

/** Creates reads of the nodes and lists of a reference: ranges with conditions and bounds, hints, and checks. */
export const createReadArbitrary = (
  model: TableModel,
  reference: ListReference,
  conditions = STUDIO_CONDITIONS,
): fc.Arbitrary<StoreReadRequest> => {
  const world = { model, conditions }
  const ids = [
    ...reference.nodes.keys(),
    'photo-99999',
    'photo-2147483648',
    'comment-1',
    'account-',
    'x-1',
    'photo-10',
  ]
  const lists = [...reference.lists.values()].flatMap(({ source, name }) => {
    const type = model.types.get(reference.nodes.get(source)?.type ?? '')
    const list = type?.lists.get(name) ?? model.collections.get(name)
    return list === undefined ? [] : [{ source, list }]
  })
  const range = fc.constantFrom(...lists).chain(({ source, list }) => rangeOf(world, reference, list, source))
  const check = fc.constantFrom(...lists).chain(({ source, list }) =>
    fc.record({
      source: fc.constant(source),
      name: fc.constant(list.name),
      target: fc.constantFrom(
        ...ids,
        ...(reference.lists.get(`${source} ${list.name}`)?.entries.map(({ target }) => target) ?? []),
      ),
      data: fc.boolean(),
    }),
  )
  const nodes = fc.array(fc.tuple(fc.constantFrom(...ids), aheadOf(world, [...model.types.values()], 0)), {
    maxLength: 3,
  })
  return fc
    .record({
      nodes,
      ranges: fc.array(range, { maxLength: 4 }),
      checks: fc.array(check, { maxLength: 4 }),
      fields: wantedFieldsOf(world),
    })
    .map(({ nodes: pairs, ...parts }) => ({
      ...parts,
      tokens: [],
      nodes: pairs.map(([id]) => id),
      nodesAhead: pairs.map(([, ahead]) => ahead),
    }))
}
