import { createMemoryStore } from 'kithgraph/memory'
import type { EdgeEntry, NodeRecord, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'

/** What a store returns of a node and of an edge. Nothing is promised of the values. */
export type RawNode = { readonly id: string; readonly type: string; readonly fields: unknown }
export type RawEdge = {
  readonly source: string
  readonly name: string
  readonly target: string
  readonly time?: unknown
  readonly data?: unknown
}

const keyOf = ({ source, name, target }: RawEdge): string => `${source} ${name} ${target}`

/** A store of somebody else: it returns the fields, the edge data and the times that it was given, whatever they are. */
export const createRawStore = (nodes: readonly RawNode[], edges: readonly RawEdge[] = []): Store => {
  const memory = createMemoryStore()
  memory.write([
    ...nodes.map(({ id, type }) => ({ op: 'putNode', node: { id, type, fields: {} } }) as const),
    ...edges.map(
      ({ source, name, target }, time) => ({ op: 'putEdge', edge: { source, name, target, time } }) as const,
    ),
  ])
  const fieldsOf = new Map(nodes.map(({ id, fields }) => [id, fields]))
  const edgeOf = new Map(edges.map(edge => [keyOf(edge), edge]))
  const rawNode = (node: NodeRecord): NodeRecord => ({
    ...node,
    fields: fieldsOf.get(node.id) as NodeRecord['fields'],
  })
  const rawEntry = (entry: EdgeEntry, source: string, name: string): EdgeEntry => {
    const { data, time = entry.time } = edgeOf.get(keyOf({ source, name, target: entry.target })) ?? {}
    return { ...entry, data, time, node: rawNode(entry.node) } as EdgeEntry
  }
  return delegateStore(memory, {
    async read(wave, options) {
      const answer = await memory.read(wave, options)
      return {
        ...answer,
        nodes: answer.nodes.map(node => node && rawNode(node)),
        ranges: answer.ranges.map((slice, index) => {
          const { source = '', name = '' } = wave.ranges[index] ?? {}
          return { ...slice, entries: slice.entries.map(entry => rawEntry(entry, source, name)) }
        }),
      }
    },
  })
}
