import {
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  isViewer,
  node,
  parameter,
  viewerHasEdge,
} from 'kithgraph'
import { type ActionOptions, actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import type { IdKind } from '../../src/base/ids.ts'

/** A world of users and their items. An item is visible to its owner and to the owner's friends. */
export type GuardedWorld = {
  readonly friends: readonly (readonly [number, number])[]
  readonly items: readonly {
    readonly key: number
    readonly owner: number
    readonly open: boolean
    readonly text: string
  }[]
}

/** The keys of the users of each world. */
export const USERS = [1, 2, 3, 4] as const

/** A node by its type and key; the keys of users and items differ. */
export type NodeName = { readonly type: 'user' | 'item'; readonly key: number }

/** Returns the id of a node. */
export const idOf = (kind: IdKind, { type, key }: NodeName): string =>
  kind === 'digits' ? `${key}` : `${type}-${key}`

const createSchema = (ids: IdKind) =>
  defineSchema(
    {
      user: node({ fields: { text: field.string() }, edges: { friends: edge('user', { symmetric: true }) } }),
      item: node({
        policy: [isViewer({ of: 'owner' }), viewerHasEdge('friends', { of: 'owner' })],
        fields: { owner: field.ref('user'), open: field.bool(), text: field.string() },
        edges: { likes: edge('user') },
      }),
    },
    { viewers: ['user'], ids },
  )

/** The parameters of every action. */
const parameters = {
  text: parameter.string({ required: true, maxLength: 3 }),
  item: parameter.node('item'),
  nodes: parameter.list(parameter.node(['item', 'user']), { maxItems: 2 }),
}

/** Opens a graph over a world, and counts its runs and the writes of its store. */
export const openGuarded = async (
  { friends, items }: GuardedWorld,
  kind: IdKind,
  consistency: 'read' | 'snapshot',
) => {
  const counts = { runs: 0, writes: 0 }
  const schema = createSchema(kind)
  const action = actionsOf(schema)
  type Context = Parameters<
    ActionOptions<typeof schema, 'user' | 'item', typeof parameters, undefined, undefined>['run']
  >[0]
  const common = {
    parameters,
    run: async ({ source, parameters: { text }, write }: Context) => {
      counts.runs++
      await write([{ op: 'patchNode', id: source.id, fields: { text } }])
    },
  }
  const actions = [
    action('item', 'touch', { ...common, scope: 'touch', policy: [isViewer({ of: 'owner' })] }),
    action('item', 'likes.add', { ...common, policy: 'anyone' }),
    action('item', 'tell', { ...common, policy: [fieldEquals('open', true)] }),
    action('user', 'update', { ...common, policy: [isViewer()] }),
    action('user', 'poke', { ...common, policy: [viewerHasEdge('friends')] }),
  ]
  const memory = createMemoryStore()
  const toId = (type: NodeName['type'], key: number): string => idOf(kind, { type, key })
  await createGraph(memory, { schema }).write([
    ...USERS.map(
      key => ({ op: 'putNode', node: { id: toId('user', key), type: 'user', fields: {} } }) as const,
    ),
    ...items.map(
      ({ key, owner, open, text }) =>
        ({
          op: 'putNode',
          node: { id: toId('item', key), type: 'item', fields: { owner: toId('user', owner), open, text } },
        }) as const,
    ),
    ...friends.map(
      ([one, two]) =>
        ({
          op: 'putEdge',
          edge: { source: toId('user', one), name: 'friends', target: toId('user', two) },
        }) as const,
    ),
  ])
  const write: typeof memory.write = (mutations, options) => {
    counts.writes++
    return memory.write(mutations, options)
  }
  const graph = createGraph({ ...memory, write }, { schema, actions, consistency })
  return { graph, counts }
}
