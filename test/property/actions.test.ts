import fc from 'fast-check'
import { isGraphError } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import { type GuardedWorld, idOf, type NodeName, openGuarded, USERS } from '../helpers/guarded-actions.ts'
import { propertySettings } from './property-settings.ts'

const ITEMS = [11, 12, 13, 14] as const
const MISSING = 99

type GivenId = NodeName | 'me' | 'forged'

/** A call, with nodes in place of ids. */
type Call = {
  readonly viewer: number | undefined
  readonly scopes: readonly string[]
  readonly id: GivenId
  readonly type: 'user' | 'item' | undefined
  readonly action: string
  readonly text: string | number | undefined
  readonly item: GivenId | undefined
  readonly nodes: readonly GivenId[] | undefined
}

const users = fc.constantFrom(...USERS)
const world: fc.Arbitrary<GuardedWorld> = fc.record({
  friends: fc.uniqueArray(
    fc.tuple(users, users).filter(([one, two]) => one < two),
    {
      selector: pair => pair.join(),
      maxLength: 3,
    },
  ),
  items: fc
    .subarray([...ITEMS])
    .chain(keys =>
      fc.tuple(
        ...keys.map(key =>
          fc.record({ key: fc.constant(key), owner: users, open: fc.boolean(), text: fc.string() }),
        ),
      ),
    ),
})
const itemId: fc.Arbitrary<GivenId> = fc
  .constantFrom(...ITEMS, MISSING)
  .map(key => ({ type: 'item', key }) as const)
const userId: fc.Arbitrary<GivenId> = users.map(key => ({ type: 'user', key }) as const)
const anyId = fc.oneof(itemId, userId, fc.constantFrom('me' as const, 'forged' as const))
const actionName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('touch', 'likes.add', 'tell', 'update', 'poke') },
  fc.constantFrom('friends.add', 'delete', 'nothing'),
)
const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('abc', '') },
  fc.constantFrom('long', 5, undefined),
)
const looseCall: fc.Arbitrary<Call> = fc.record({
  viewer: fc.option(users, { nil: undefined, freq: 8 }),
  scopes: fc.oneof({ weight: 3, arbitrary: fc.constant(['touch']) }, fc.constant([])),
  id: fc.oneof({ weight: 3, arbitrary: itemId }, { weight: 3, arbitrary: fc.constant('me' as const) }, anyId),
  type: fc.option(fc.constantFrom('user' as const, 'item' as const), { nil: undefined, freq: 3 }),
  action: actionName,
  text,
  item: fc.option(fc.oneof({ weight: 4, arbitrary: itemId }, anyId), { nil: undefined, freq: 2 }),
  nodes: fc.option(fc.array(anyId, { maxLength: 3 }), { nil: undefined, freq: 2 }),
})

/** Most calls name an action and a type that fit their source. */
const call = fc.tuple(looseCall, fc.nat(9), fc.nat(2)).map(([made, looseness, index]): Call => {
  if (looseness === 0) return made
  const isItem = typeof made.id === 'object' && made.id.type === 'item'
  const names = isItem ? ['touch', 'likes.add', 'tell'] : ['update', 'poke', 'update']
  return { ...made, action: names[index] ?? 'update', type: made.type && (isItem ? 'item' : 'user') }
})

/** The naive model: whether two users are friends, whether a viewer sees a node, and what a call results in. */
const createModel = ({ friends, items }: GuardedWorld, { viewer }: Call) => {
  const areFriends = (one: number, two: number): boolean =>
    friends.some(pair => pair.includes(one) && pair.includes(two) && one !== two)
  const nodeOf = (id: GivenId): NodeName | undefined => {
    if (id === 'forged') return undefined
    if (id === 'me') return viewer === undefined ? undefined : { type: 'user', key: viewer }
    const keys: readonly number[] = id.type === 'user' ? USERS : items.map(({ key }) => key)
    return keys.includes(id.key) ? id : undefined
  }
  const itemOf = ({ key }: NodeName) => items.find(item => item.key === key)
  const seesItem = (key: number): boolean => {
    const owner = items.find(item => item.key === key)?.owner
    return owner !== undefined && viewer !== undefined && (owner === viewer || areFriends(owner, viewer))
  }
  const visible = (id: GivenId): NodeName | undefined => {
    const found = nodeOf(id)
    return found?.type === 'item' && !seesItem(found.key) ? undefined : found
  }
  const policies: { readonly [action: string]: (source: NodeName) => boolean } = {
    'item touch': source => itemOf(source)?.owner === viewer,
    'item likes.add': () => true,
    'item tell': source => itemOf(source)?.open === true,
    'user update': ({ key }) => key === viewer,
    'user poke': ({ key }) => viewer !== undefined && areFriends(key, viewer),
  }
  return { visible, policies }
}

const expectedReason = (world: GuardedWorld, call: Call): string | undefined => {
  const { visible, policies } = createModel(world, call)
  const { id, type, action, scopes, text, item, nodes } = call
  if (id === 'forged') return 'invalid_parameter'
  if (id === 'me' && call.viewer === undefined) return 'viewer_required'
  const source = visible(id)
  if (source === undefined || (type !== undefined && source.type !== type)) return 'node_not_found'
  const allows = policies[`${source.type} ${action}`]
  const known =
    source.type === 'user' ? ['friends.add', 'delete', 'update'] : ['likes.add', 'delete', 'update']
  if (allows === undefined) return known.includes(action) ? 'method_not_supported' : 'field_not_found'
  if (action === 'touch' && !scopes.includes('touch')) return 'scope_missing'
  if (!allows(source)) return 'action_denied'
  const isTextValid = typeof text === 'string' && text.length <= 3
  const isItemValid = item === undefined || visible(item)?.type === 'item'
  const areNodesValid =
    nodes === undefined || (nodes.length <= 2 && nodes.every(node => visible(node) !== undefined))
  return isTextValid && isItemValid && areNodesValid ? undefined : 'invalid_parameter'
}

/** Makes a call, and returns the bytes that the caller receives, and what happened. */
const makeCall = async (
  world: GuardedWorld,
  { viewer, scopes, id, type, action, text, item, nodes }: Call,
  kind: IdKind,
  consistency: 'read' | 'snapshot',
) => {
  const { graph, counts } = await openGuarded(world, kind, consistency)
  const toId = (given: GivenId): string => (typeof given === 'string' ? given : idOf(kind, given))
  const session = graph.session({
    viewer: viewer === undefined ? undefined : toId({ type: 'user', key: viewer }),
    app: 'demo',
    scopes,
  })
  const callAction = graph.callAction as (token: unknown, options: object) => Promise<unknown>
  const parameters = { text, item: item && toId(item), nodes: nodes?.map(toId) }
  const result: unknown = await callAction(session, { id: toId(id), type, action, parameters }).catch(
    (error: unknown) => error,
  )
  if (result instanceof TypeError) throw result
  const { fbtrace_id, ...error } = isGraphError(result) ? result.toJSON().error : { fbtrace_id: undefined }
  return {
    reason: isGraphError(result) ? result.reason : undefined,
    bytes: JSON.stringify(isGraphError(result) ? error : result),
    ...counts,
  }
}

const kinds = fc.constantFrom<IdKind>('digits', 'named')
const consistencies = fc.constantFrom('read' as const, 'snapshot' as const)

/** Changes what the viewer of a call cannot see: hidden items, and friendships between others. */
const withOtherHiddenData = (world: GuardedWorld, call: Call, other: GuardedWorld): GuardedWorld => {
  const { viewer } = call
  const isMine = (pair: readonly number[]): boolean => viewer !== undefined && pair.includes(viewer)
  const friends = [...world.friends.filter(isMine), ...other.friends.filter(pair => !isMine(pair))]
  const { visible } = createModel(world, call)
  const isVisible = (key: number): boolean => visible({ type: 'item', key }) !== undefined
  const shown = world.items.filter(({ key }) => isVisible(key))
  const candidates = other.items.filter(({ key }) => !isVisible(key))
  const joined = { friends, items: [...shown, ...candidates] }
  const model = createModel(joined, call)
  return {
    friends,
    items: [...shown, ...candidates.filter(({ key }) => model.visible({ type: 'item', key }) === undefined)],
  }
}

describe('an action', () => {
  it('runs if and only if visibility, scope, policy and parameters allow it, and a rejected call writes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(world, call, kinds, consistencies, async (one, made, kind, consistency) => {
        const reason = expectedReason(one, made)
        const isAllowed = reason === undefined
        expect(await makeCall(one, made, kind, consistency)).toMatchObject({
          reason,
          runs: isAllowed ? 1 : 0,
          writes: isAllowed ? 1 : 0,
        })
      }),
      propertySettings(200, 10_000),
    )
  })

  it('gives the same bytes and the same number of runs in two worlds that differ only in hidden data', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        world,
        call,
        kinds,
        consistencies,
        async (one, two, made, kind, consistency) => {
          const other = withOtherHiddenData(one, made, two)
          expect(await makeCall(other, made, kind, consistency)).toEqual(
            await makeCall(one, made, kind, consistency),
          )
        },
      ),
      propertySettings(150, 10_000),
    )
  })
})
