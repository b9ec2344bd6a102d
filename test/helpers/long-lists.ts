import { createGraph, defineSchema, edge, field, fieldEquals, type GraphOptions, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { Store, StoreReadRequest } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'

/** The number of edges that a call may examine before it waits for a slot. */
export const MAX_EDGES_WITHOUT_SLOT = 10_000
const LENGTH = 12_000

const schema = defineSchema(
  {
    shelf: node({ edges: { things: edge('thing') } }),
    thing: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
  },
  { viewers: ['shelf'] },
)

/** Returns the id of the source of a list. Each call of a test reads a different list. */
export const shelfId = (index: number): string => `${index + 1}`

const things = Array.from({ length: LENGTH }, (_, index) => `${100_000 + index}`)

const createShelf = (index: number): StoreMutation[] => [
  { op: 'putNode', node: { id: shelfId(index), type: 'shelf', fields: {} } },
  ...things.map(
    (target, time): StoreMutation => ({
      op: 'putEdge',
      edge: { source: shelfId(index), name: 'things', target, time },
    }),
  ),
]

/** Observes which calls continue to read a list after `MAX_EDGES_WITHOUT_SLOT` edges. */
class ReadAheadMonitor {
  /** The largest number of these calls at the same time. */
  maxConcurrent = 0
  #gate: Promise<void> = Promise.resolve()
  readonly #edgesRead = new Map<string, number>()
  readonly #active = new Set<string>()

  /** The sources whose calls have read more than `MAX_EDGES_WITHOUT_SLOT` edges and have not ended. */
  get active(): readonly string[] {
    return [...this.#active]
  }

  /** Blocks reads after `MAX_EDGES_WITHOUT_SLOT` edges until the returned function is called. */
  hold(): () => void {
    let open = (): void => undefined
    this.#gate = new Promise(resolve => {
      open = resolve
    })
    return open
  }

  /** Records that the call that reads a list has ended. */
  endCall(source: string): void {
    this.#active.delete(source)
    this.#edgesRead.delete(source)
  }

  async beforeRead({ ranges }: StoreReadRequest): Promise<void> {
    const [range] = ranges
    if (range === undefined || (this.#edgesRead.get(range.source) ?? 0) <= MAX_EDGES_WITHOUT_SLOT) return
    this.#active.add(range.source)
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#active.size)
    await this.#gate
  }

  afterRead(source: string | undefined, entries: number): void {
    if (source !== undefined) this.#edgesRead.set(source, entries + (this.#edgesRead.get(source) ?? 0))
  }
}

/**
 * Opens a graph of shelves with long lists whose entries no viewer may see. Its reads are slow, so that calls
 * overlap.
 */
export const openLongLists = async (shelves: number, options: Omit<GraphOptions, 'schema'> = {}) => {
  const store = createMemoryStore()
  const thing = (id: string): StoreMutation => ({
    op: 'putNode',
    node: { id, type: 'thing', fields: {} },
  })
  await store.write(
    [...things.map(thing), ...Array.from({ length: shelves }, (_, index) => createShelf(index)).flat()],
    {
      signal: undefined,
    },
  )
  const monitor = new ReadAheadMonitor()
  const slow: Store = delegateStore(store, {
    read: async (request, readOptions) => {
      await monitor.beforeRead(request)
      await new Promise(resolve => setTimeout(resolve, 1))
      const result = await store.read(request, readOptions)
      monitor.afterRead(request.ranges[0]?.source, result.ranges[0]?.entries.length ?? 0)
      return result
    },
  })
  const graph = createGraph(slow, { ...options, schema })
  return { graph, monitor }
}
