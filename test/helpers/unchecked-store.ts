import { createMemoryStore } from 'kithgraph/memory'
import type { EdgeEntry, EdgeRecord, NodeRecord, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'

/** A node as a store returns it, with fields of any kind. */
export type UncheckedNode = { readonly id: string; readonly type: string; readonly fields: unknown }
export type UncheckedEdge = {
  readonly source: string
  readonly name: string
  readonly target: string
  readonly time?: unknown
  readonly data?: unknown
}

const keyOf = ({ source, name, target }: UncheckedEdge): string => `${source} ${name} ${target}`

/**
 * Creates a store without validation: it returns the given fields, edge data and times, even if they are
 * invalid.
 */
export const createUncheckedStore = (
  nodes: readonly UncheckedNode[],
  edges: readonly UncheckedEdge[] = [],
): Store => {
  const memory = createMemoryStore()
  memory.write([
    ...nodes.map(({ id, type }) => ({ op: 'putNode', node: { id, type, fields: {} } }) as const),
    ...edges.map(
      ({ source, name, target }, time) => ({ op: 'putEdge', edge: { source, name, target, time } }) as const,
    ),
  ])
  const fieldsOf = new Map(nodes.map(({ id, fields }) => [id, fields]))
  const edgeOf = new Map(edges.map(edge => [keyOf(edge), edge]))
  const toNode = (node: NodeRecord): NodeRecord => ({
    ...node,
    fields: fieldsOf.get(node.id) as NodeRecord['fields'],
  })
  const toEntry = (entry: EdgeEntry, source: string, name: string): EdgeEntry => {
    const { data, time = entry.time } = edgeOf.get(keyOf({ source, name, target: entry.target })) ?? {}
    return { ...entry, data, time, node: toNode(entry.node) } as EdgeEntry
  }
  return delegateStore(memory, {
    async read(request, options) {
      const result = await memory.read(request, options)
      return {
        ...result,
        checks: result.checks.map(found => {
          if (typeof found === 'boolean') return found
          const { data, time = found.time } = edgeOf.get(keyOf(found)) ?? {}
          return { ...found, data, time } as EdgeRecord
        }),
        nodes: result.nodes.map(node => node && toNode(node)),
        ranges: result.ranges.map((rangeResult, index) => {
          const { source = '', name = '' } = request.ranges[index] ?? {}
          return { ...rangeResult, entries: rangeResult.entries.map(entry => toEntry(entry, source, name)) }
        }),
      }
    },
  })
}
