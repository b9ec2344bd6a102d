import { createGraph, defineSchema, edge, field, fieldEquals, type GraphOptions, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { Mutation, Store, Wave } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'

/** Edges that a call may examine before it waits for a slot. */
export const FREE_EDGES = 10_000
const LENGTH = 12_000

const schema = defineSchema(
  {
    shelf: node({ edges: { things: edge('thing') } }),
    thing: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
  },
  { viewers: ['shelf'] },
)

/** The source of a list, of which each call in a test has its own. */
export const shelfId = (index: number): string => `${index + 1}`

const things = Array.from({ length: LENGTH }, (_, index) => `${100_000 + index}`)

const shelf = (index: number): Mutation[] => [
  { op: 'putNode', node: { id: shelfId(index), type: 'shelf', fields: {} } },
  ...things.map(
    (target, time): Mutation => ({
      op: 'putEdge',
      edge: { source: shelfId(index), name: 'things', target, time },
    }),
  ),
]

/** Watches who reads on in a list of which more was read than is free. */
class Watch {
  /** How many read on at the same time at the most. */
  most = 0
  #gate: Promise<void> = Promise.resolve()
  readonly #read = new Map<string, number>()
  readonly #ahead = new Set<string>()

  /** Those who read on and have not ended. */
  get ahead(): readonly string[] {
    return [...this.#ahead]
  }

  /** Holds back every read of those who read on, until the returned function is called. */
  hold(): () => void {
    let open = (): void => undefined
    this.#gate = new Promise(resolve => {
      open = resolve
    })
    return open
  }

  /** The call that reads a list has ended. */
  end(source: string): void {
    this.#ahead.delete(source)
    this.#read.delete(source)
  }

  async before({ ranges }: Wave): Promise<void> {
    const [range] = ranges
    if (range === undefined || (this.#read.get(range.source) ?? 0) <= FREE_EDGES) return
    this.#ahead.add(range.source)
    this.most = Math.max(this.most, this.#ahead.size)
    await this.#gate
  }

  after(source: string | undefined, entries: number): void {
    if (source !== undefined) this.#read.set(source, entries + (this.#read.get(source) ?? 0))
  }
}

/** Shelves with long lists of which nobody sees anything. Every read takes a moment, so that calls overlap. */
export const openLongLists = async (shelves: number, options: Omit<GraphOptions, 'schema'> = {}) => {
  const store = createMemoryStore()
  const thing = (id: string): Mutation => ({ op: 'putNode', node: { id, type: 'thing', fields: {} } })
  await store.write(
    [...things.map(thing), ...Array.from({ length: shelves }, (_, index) => shelf(index)).flat()],
    {
      signal: undefined,
    },
  )
  const watch = new Watch()
  const slow: Store = delegateStore(store, {
    read: async (wave, readOptions) => {
      await watch.before(wave)
      await new Promise(resolve => setTimeout(resolve, 1))
      const answer = await store.read(wave, readOptions)
      watch.after(wave.ranges[0]?.source, answer.ranges[0]?.entries.length ?? 0)
      return answer
    },
  })
  const graph = createGraph(slow, { ...options, schema })
  return { graph, watch }
}
