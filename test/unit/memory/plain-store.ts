import { comparePositions } from '../../../src/store/compare-positions.ts'
import type {
  EdgeKey,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  StoreReadRequest,
  StoreReadResult,
  TokenRecord,
} from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'

const edgeKey = ({ source, name, target }: EdgeKey): string => JSON.stringify([source, name, target])

/** The simplest implementation of the store contract: maps, filters and sorts. */
export class PlainStore {
  readonly nodes: Map<string, NodeRecord>
  readonly edges: Map<string, EdgeRecord>
  readonly tokens: Map<string, TokenRecord>

  constructor(from?: PlainStore) {
    this.nodes = new Map(from?.nodes)
    this.edges = new Map(from?.edges)
    this.tokens = new Map(from?.tokens)
  }

  /** Applies the valid mutations in their order, and returns them. */
  applyValid(mutations: readonly StoreMutation[]): StoreMutation[] {
    return mutations.filter(mutation => {
      const isValid = this.#isValid(mutation)
      if (isValid) this.#apply(mutation)
      return isValid
    })
  }

  /** Whether a mutation is valid in the current state. */
  #isValid(mutation: StoreMutation): boolean {
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

  #apply(mutation: StoreMutation): void {
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

  read(request: StoreReadRequest): StoreReadResult {
    return {
      nodes: request.nodes.map(id => this.nodes.get(id)),
      ranges: request.ranges.map(range => this.#readRange(range)),
      checks: request.checks.map(check => this.edges.has(edgeKey(check))),
      tokens: request.tokens.map(digest => this.tokens.get(digest)),
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

  #readRange({ source, name, direction, from, minTime, maxTime, limit, count }: EdgeRange): RangeResult {
    const sign = direction === 'newest' ? -1 : 1
    const list = [...this.edges.values()]
      .filter(edge => edge.source === source && edge.name === name)
      .sort((a, b) => sign * comparePositions(a, b))
    const inRange = list.filter(
      edge =>
        (from === undefined || sign * comparePositions(edge, from) > 0) &&
        edge.time >= (minTime ?? edge.time) &&
        edge.time <= (maxTime ?? edge.time),
    )
    const entries = inRange.slice(0, limit).flatMap(({ target, time, data }) => {
      const node = this.nodes.get(target)
      return node === undefined ? [] : [{ target, time, data, node }]
    })
    const last = entries.at(-1)
    return {
      entries,
      hasMore: limit > 0 && inRange.length > limit,
      lastExamined: last && { time: last.time, target: last.target },
      total: count ? list.length : undefined,
    }
  }
}
