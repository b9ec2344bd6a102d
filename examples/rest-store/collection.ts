import type {
  AheadResult,
  EdgeKey,
  EdgeRecord,
  JsonObject,
  NodeRecord,
  RangeResult,
  StoreMutation,
  StoreReadResult,
  TokenRecord,
} from 'kithgraph'
import { EdgeList } from './edge-list.ts'
import type { WireFields, WireHint, WireRange, WireRequest, WireStep } from './wire.ts'

/** Reports why a batch was not written, with the index of the mutation that caused it. */
export class ConflictError extends Error {
  readonly index: number

  constructor(index: number, message: string) {
    super(message)
    this.index = index
  }
}

/** Creates the key of a list. A name may contain any character, so no separator is safe. */
const keyOf = (source: string, name: string): string => JSON.stringify([source, name])

const EMPTY_LIST = new EdgeList()

/** Returns an own member of an object. A type may have the name of an inherited one, such as `__proto__`. */
const getOwn = <TValue>(object: { readonly [name: string]: TValue }, name: string): TValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Returns a node with the fields that a read wants of its type: `null` wants all, and a missing type none. */
const pickFields = (node: NodeRecord, wanted: WireFields | undefined): NodeRecord => {
  const names = wanted === undefined ? null : getOwn(wanted, node.type)
  if (names === null) return node
  const fields = Object.entries(node.fields).filter(([name]) => names?.includes(name))
  return { ...node, fields: Object.fromEntries(fields) }
}

/** The data of the service, in memory. A real service would use a database. */
export class Collection {
  readonly #nodes = new Map<string, NodeRecord>()
  readonly #tokens = new Map<string, TokenRecord>()
  readonly #lists = new Map<string, EdgeList>()
  /**
   * For each node, the keys of the lists that change when the node is deleted: its own lists, and the lists
   * that contain it.
   */
  readonly #listKeysOf = new Map<string, Set<string>>()

  read({ nodes, ranges, checks, tokens, fields, nodesAhead }: WireRequest): StoreReadResult {
    return {
      nodes: nodes.map((id, index) => this.#readNode(id, fields, nodesAhead?.[index])),
      ranges: ranges.map(range => this.#readRange(range, fields)),
      checks: checks.map(({ source, name, target, data }) => {
        const edge = this.#findList(source, name).get(target)
        return edge !== undefined && (data === true ? edge : true)
      }),
      tokens: tokens.map(digest => this.#tokens.get(digest)),
    }
  }

  /**
   * Writes all mutations of a batch, or none.
   *
   * @throws ConflictError if a mutation cannot be written.
   */
  write(mutations: readonly StoreMutation[]): void {
    this.#check(mutations)
    for (const mutation of mutations) this.#apply(mutation)
  }

  #findList(source: string, name: string): EdgeList {
    return this.#lists.get(keyOf(source, name)) ?? EMPTY_LIST
  }

  /** Reads a node with the wanted fields, and what the hint says ahead. */
  #readNode(id: string, fields: WireFields | undefined, hint?: WireHint | null): NodeRecord | undefined {
    const node = this.#nodes.get(id)
    if (node === undefined) return undefined
    const steps = hint && getOwn(hint, node.type)
    const picked = pickFields(node, fields)
    return steps == null ? picked : { ...picked, ahead: steps.map(step => this.#readStep(node, step)) }
  }

  #readStep({ id, fields }: NodeRecord, step: WireStep): AheadResult {
    if (step.kind === 'list') {
      const whole = { from: undefined, minTime: undefined, maxTime: undefined }
      return this.#readRange({ ...step, ...whole, source: id }, step.fields)
    }
    const target = fields[step.field]
    return typeof target === 'string' ? { node: this.#readNode(target, step.fields, step.ahead) } : undefined
  }

  #readRange(range: WireRange, fields: WireFields | undefined): RangeResult {
    const list = this.#findList(range.source, range.name)
    const { edges, hasMore } = list.walk(range)
    const last = edges.at(-1)
    return {
      entries: edges.flatMap(({ target, time, data }) => {
        const node = this.#readNode(target, fields, range.ahead)
        return node === undefined ? [] : [{ target, time, data, node }]
      }),
      hasMore,
      lastExamined: last && { time: last.time, target: last.target },
      total: range.count ? list.size : undefined,
    }
  }

  /** Validates a batch without writing it. Tracks the types of the nodes that the batch changes. */
  #check(mutations: readonly StoreMutation[]): void {
    const types = new Map<string, string | undefined>()
    const typeOf = (id: string) => (types.has(id) ? types.get(id) : this.#nodes.get(id)?.type)
    for (const [index, mutation] of mutations.entries()) {
      const mustExist = (id: string): void => {
        if (typeOf(id) === undefined) throw new ConflictError(index, `there is no node ${id}`)
      }
      if (mutation.op === 'putNode') {
        const { id, type } = mutation.node
        if ((typeOf(id) ?? type) !== type) throw new ConflictError(index, `the node ${id} has another type`)
        types.set(id, type)
      } else if (mutation.op === 'deleteNode') types.set(mutation.id, undefined)
      else if (mutation.op === 'patchNode') mustExist(mutation.id)
      else if (mutation.op === 'putEdge') {
        mustExist(mutation.edge.source)
        mustExist(mutation.edge.target)
      }
    }
  }

  #apply(mutation: StoreMutation): void {
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
        if (mutation.mirror !== undefined) this.#putEdge({ ...mutation.edge, ...mutation.mirror })
        break
      case 'deleteEdge':
        this.#deleteEdge(mutation.edge)
        if (mutation.mirror !== undefined) this.#deleteEdge(mutation.mirror)
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
    for (const key of this.#listKeysOf.get(id) ?? []) {
      const [source] = JSON.parse(key)
      if (source === id) this.#lists.delete(key)
      else this.#lists.get(key)?.delete(id)
    }
    this.#listKeysOf.delete(id)
    this.#nodes.delete(id)
  }

  #putEdge(edge: EdgeRecord): void {
    const key = keyOf(edge.source, edge.name)
    const list = this.#lists.get(key) ?? new EdgeList()
    this.#lists.set(key, list)
    list.put(edge)
    for (const id of [edge.source, edge.target]) {
      const keys = this.#listKeysOf.get(id) ?? new Set()
      this.#listKeysOf.set(id, keys.add(key))
    }
  }

  #deleteEdge({ source, name, target }: EdgeKey): void {
    this.#findList(source, name).delete(target)
  }
}
