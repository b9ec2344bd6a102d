import fc, { type Arbitrary } from 'fast-check'
import type { JsonValue } from '../../src/base/json.ts'
import type { EdgeRecord, EdgeTest, Mutation } from '../../src/store/contract.ts'
import { edgesFrom, nodeFrom, type RawEdge, type RawNode, rawEdge, rawNode } from './graph-arbitraries.ts'
import type { World } from './naive-graph/world.ts'
import { IDS } from './schema-arbitraries.ts'

/** A write that means something only once a world is there: so both shrink by themselves. */
type RawWrite =
  | { readonly op: 'putNode'; readonly node: RawNode; readonly retyped: boolean }
  | { readonly op: 'patchNode'; readonly node: RawNode; readonly retyped: boolean }
  | { readonly op: 'deleteNode'; readonly id: string }
  | { readonly op: 'putEdge'; readonly edge: RawEdge }
  | { readonly op: 'deleteEdge'; readonly edge: RawEdge }

/** What writes of a schema are: a graph takes them as they are. */
export type BatchWrite = Exclude<Mutation, { readonly op: 'putToken' | 'deleteToken' }>

/** One batch of writes, before a world is there. */
export const rawBatch: Arbitrary<readonly RawWrite[]> = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constantFrom('putNode', 'patchNode'),
      node: rawNode,
      retyped: fc.integer({ min: 0, max: 9 }).map(dice => dice === 0),
    }),
    fc.record({ op: fc.constant('deleteNode'), id: fc.constantFrom(...IDS) }),
    { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('putEdge', 'deleteEdge'), edge: rawEdge }) },
  ),
  { minLength: 1, maxLength: 4 },
)

const keyOf = ({ source, name, target }: EdgeTest): EdgeTest => ({ source, name, target })

/** An edge as a graph takes it: a world may have data that neither side of it declares. */
export const writable = ({ schema, nodes }: World, { data, ...edge }: EdgeRecord): EdgeRecord => {
  const edgesOf = (id: string) => schema.types[nodes.find(node => node.id === id)?.type ?? '']?.edges ?? {}
  const declared = edgesOf(edge.source)[edge.name]
  const mirror = edgesOf(edge.target)[declared?.inverse ?? '']
  const takes = (name: string) =>
    declared?.fields[name]?.kind === 'role' || mirror?.fields[name]?.kind === 'role'
  return data !== undefined && Object.keys(data).every(takes) ? { ...edge, data } : edge
}

/**
 * The mutations that a batch is for a world. Most of them fit it, at least before others are written; some change a
 * type, patch what is not there, or need a node that is gone.
 */
export const mutationsFor = (world: World, batch: readonly RawWrite[]): readonly BatchWrite[] => {
  const { schema, nodes } = world
  const ids = nodes.map(({ id }) => id)
  const types = Object.keys(schema.types)
  return batch.flatMap((write): readonly BatchWrite[] => {
    if (write.op === 'deleteNode') return [write]
    if (write.op === 'putEdge' || write.op === 'deleteEdge') {
      const [edge] = edgesFrom(schema, nodes, write.edge)
      if (edge === undefined) return []
      return [
        write.op === 'putEdge'
          ? { op: 'putEdge', edge: writable(world, edge) }
          : { op: 'deleteEdge', edge: keyOf(edge) },
      ]
    }
    const there = nodes.find(({ id }) => id === write.node.id)
    const type = there && !write.retyped ? types.indexOf(there.type) : write.node.type
    const node = nodeFrom(schema, { ...write.node, type }, ids)
    if (write.op === 'putNode') return [{ op: 'putNode', node }]
    const removed = Object.keys(there?.fields ?? {}).filter(name => !(name in node.fields))
    const fields: { [name: string]: JsonValue } = { ...node.fields }
    for (const name of removed) fields[name] = null
    return [{ op: 'patchNode', id: node.id, fields }]
  })
}
