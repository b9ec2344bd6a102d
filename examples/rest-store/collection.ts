import type {
  EdgeRange,
  EdgeRecord,
  EdgeSlice,
  EdgeTest,
  JsonObject,
  Mutation,
  NodeRecord,
  TokenRecord,
  Wave,
  WaveAnswer,
} from 'kithgraph'
import { EdgeList } from './edge-list.ts'

/** Why a batch was not written, and which of its mutations is to blame. */
export class Conflict extends Error {
  readonly index: number

  constructor(index: number, message: string) {
    super(message)
    this.index = index
  }
}

/** A name may hold any character, so that a key is not joined by one. */
const keyOf = (source: string, name: string): string => JSON.stringify([source, name])

const EMPTY = new EdgeList()

/** The data of the service: tables in memory, where another service has its database. */
export class Collection {
  readonly #nodes = new Map<string, NodeRecord>()
  readonly #tokens = new Map<string, TokenRecord>()
  readonly #lists = new Map<string, EdgeList>()
  /** The keys of the lists that a node is in, and of those that it is the source of: what its end takes along. */
  readonly #listsOf = new Map<string, Set<string>>()

  read({ nodes, ranges, tests, tokens }: Wave): WaveAnswer {
    return {
      nodes: nodes.map(id => this.#nodes.get(id)),
      ranges: ranges.map(range => this.#slice(range)),
      tests: tests.map(({ source, name, target }) => this.#list(source, name).has(target)),
      tokens: tokens.map(digest => this.#tokens.get(digest)),
    }
  }

  /** Writes all of a batch. @throws Conflict, and nothing is written. */
  write(mutations: readonly Mutation[]): void {
    this.#check(mutations)
    for (const mutation of mutations) this.#apply(mutation)
  }

  #list(source: string, name: string): EdgeList {
    return this.#lists.get(keyOf(source, name)) ?? EMPTY
  }

  #slice(range: EdgeRange): EdgeSlice {
    const list = this.#list(range.source, range.name)
    const { edges, more } = list.walk(range)
    const last = edges.at(-1)
    return {
      entries: edges.flatMap(({ target, time, data }) => {
        const node = this.#nodes.get(target)
        return node === undefined ? [] : [{ target, time, data, node }]
      }),
      more,
      end: last && { time: last.time, target: last.target },
      total: range.count ? list.size : undefined,
    }
  }

  /** Goes through a batch as if it were written, with nothing but the types of the nodes that it changes. */
  #check(mutations: readonly Mutation[]): void {
    const types = new Map<string, string | undefined>()
    const typeOf = (id: string) => (types.has(id) ? types.get(id) : this.#nodes.get(id)?.type)
    for (const [index, mutation] of mutations.entries()) {
      const mustExist = (id: string): void => {
        if (typeOf(id) === undefined) throw new Conflict(index, `there is no node ${id}`)
      }
      if (mutation.op === 'putNode') {
        const { id, type } = mutation.node
        if ((typeOf(id) ?? type) !== type) throw new Conflict(index, `the node ${id} is of another type`)
        types.set(id, type)
      } else if (mutation.op === 'deleteNode') types.set(mutation.id, undefined)
      else if (mutation.op === 'patchNode') mustExist(mutation.id)
      else if (mutation.op === 'putEdge') {
        mustExist(mutation.edge.source)
        mustExist(mutation.edge.target)
      }
    }
  }

  #apply(mutation: Mutation): void {
    switch (mutation.op) {
      case 'putNode':
        this.#nodes.set(mutation.node.id, mutation.node)
        break
      case 'patchNode':
        this.#patchNode(mutation.id, mutation.fields)
        break
      case 'deleteNode':
        this.#deleteNode(mutation.id)
        break
      case 'putEdge':
        this.#putEdge(mutation.edge)
        break
      case 'deleteEdge':
        this.#deleteEdge(mutation.edge)
        break
      case 'putToken':
        this.#tokens.set(mutation.digest, mutation.token)
        break
      case 'deleteToken':
        this.#tokens.delete(mutation.digest)
        break
    }
  }

  #patchNode(id: string, patch: JsonObject): void {
    const node = this.#nodes.get(id)
    if (node === undefined) return
    const fields = Object.entries({ ...node.fields, ...patch }).filter(([, value]) => value !== null)
    this.#nodes.set(id, { ...node, fields: Object.fromEntries(fields) })
  }

  #deleteNode(id: string): void {
    for (const key of this.#listsOf.get(id) ?? []) {
      const [source] = JSON.parse(key)
      if (source === id) this.#lists.delete(key)
      else this.#lists.get(key)?.delete(id)
    }
    this.#listsOf.delete(id)
    this.#nodes.delete(id)
  }

  #putEdge(edge: EdgeRecord): void {
    const key = keyOf(edge.source, edge.name)
    const list = this.#lists.get(key) ?? new EdgeList()
    this.#lists.set(key, list)
    list.put(edge)
    for (const id of [edge.source, edge.target]) {
      const keys = this.#listsOf.get(id) ?? new Set()
      this.#listsOf.set(id, keys.add(key))
    }
  }

  #deleteEdge({ source, name, target }: EdgeTest): void {
    this.#list(source, name).delete(target)
  }
}
