import type {
  EdgeRange,
  EdgeRecord,
  EdgeSlice,
  EdgeTest,
  Mutation,
  NodeRecord,
  TokenRecord,
  Wave,
  WaveAnswer,
} from '../../../src/store/contract.ts'
import { comparePositions } from '../../../src/store/order.ts'

const edgeKey = ({ source, name, target }: EdgeTest): string => JSON.stringify([source, name, target])

/** The contract at its plainest: maps, filters and sorts. */
export class PlainStore {
  readonly nodes: Map<string, NodeRecord>
  readonly edges: Map<string, EdgeRecord>
  readonly tokens: Map<string, TokenRecord>

  constructor(from?: PlainStore) {
    this.nodes = new Map(from?.nodes)
    this.edges = new Map(from?.edges)
    this.tokens = new Map(from?.tokens)
  }

  /** Applies the mutations that are good, each after those before it, and answers them. */
  applyGood(mutations: readonly Mutation[]): Mutation[] {
    return mutations.filter(mutation => {
      const isGood = this.#allows(mutation)
      if (isGood) this.#apply(mutation)
      return isGood
    })
  }

  /** Whether a mutation is good as things stand. */
  #allows(mutation: Mutation): boolean {
    if (mutation.op === 'putNode') {
      const { id, type } = mutation.node
      return (this.nodes.get(id)?.type ?? type) === type
    }
    if (mutation.op === 'patchNode') return this.nodes.has(mutation.id)
    return (
      mutation.op !== 'putEdge' ||
      (this.nodes.has(mutation.edge.source) && this.nodes.has(mutation.edge.target))
    )
  }

  #apply(mutation: Mutation): void {
    switch (mutation.op) {
      case 'putNode':
        this.nodes.set(mutation.node.id, mutation.node)
        break
      case 'patchNode':
        this.#patchNode(mutation.id, mutation.fields)
        break
      case 'deleteNode':
        this.nodes.delete(mutation.id)
        for (const [key, { source, target }] of this.edges) {
          if (source === mutation.id || target === mutation.id) this.edges.delete(key)
        }
        break
      case 'putEdge':
        this.edges.set(edgeKey(mutation.edge), mutation.edge)
        break
      case 'deleteEdge':
        this.edges.delete(edgeKey(mutation.edge))
        break
      case 'putToken':
        this.tokens.set(mutation.digest, mutation.token)
        break
      case 'deleteToken':
        this.tokens.delete(mutation.digest)
    }
  }

  read(wave: Wave): WaveAnswer {
    return {
      nodes: wave.nodes.map(id => this.nodes.get(id)),
      ranges: wave.ranges.map(range => this.#slice(range)),
      tests: wave.tests.map(test => this.edges.has(edgeKey(test))),
      tokens: wave.tokens.map(digest => this.tokens.get(digest)),
    }
  }

  #patchNode(id: string, patch: NodeRecord['fields']): void {
    const node = this.nodes.get(id)
    if (node === undefined) return
    const fields = new Map(Object.entries(node.fields))
    for (const [name, value] of Object.entries(patch)) {
      fields.delete(name)
      if (value !== null) fields.set(name, value)
    }
    this.nodes.set(id, { ...node, fields: Object.fromEntries(fields) })
  }

  #slice({ source, name, direction, from, minTime, maxTime, limit, count }: EdgeRange): EdgeSlice {
    const sign = direction === 'newest' ? -1 : 1
    const list = [...this.edges.values()]
      .filter(edge => edge.source === source && edge.name === name)
      .sort((a, b) => sign * comparePositions(a, b))
    const walk = list.filter(
      edge =>
        (from === undefined || sign * comparePositions(edge, from) > 0) &&
        edge.time >= (minTime ?? edge.time) &&
        edge.time <= (maxTime ?? edge.time),
    )
    const entries = walk.slice(0, limit).flatMap(({ target, time, data }) => {
      const node = this.nodes.get(target)
      return node === undefined ? [] : [{ target, time, data, node }]
    })
    const last = entries.at(-1)
    return {
      entries,
      more: limit > 0 && walk.length > limit,
      end: last && { time: last.time, target: last.target },
      total: count ? list.length : undefined,
    }
  }
}
