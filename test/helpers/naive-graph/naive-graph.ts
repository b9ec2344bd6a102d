import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import { NaiveFault } from './answer.ts'
import { pageSize, QueryCheck } from './check-query.ts'
import { declaredAs, defaultsOf, isThere, type Place } from './declared.ts'
import { Levels } from './levels.ts'
import { NaiveCost } from './naive-cost.ts'
import { type ListAsked, pagingOf } from './paging.ts'
import { comparePlaces, isWithin, listOf } from './positions.ts'
import { type Item, keyOf } from './query.ts'
import { isEdgeToViewer, type Seen, seenOf } from './seen.ts'
import { answerOf, datetimeText } from './values.ts'
import { computedText, type EdgeSpec, type World } from './world.ts'

type Asked = { readonly fields?: readonly Item[] | undefined; readonly version?: string | undefined }
export type NodeAsked = Asked & { readonly id: string; readonly type?: string | undefined }
export type NodesAsked = Asked & { readonly ids: readonly string[] }
export type EdgeAsked = NodeAsked & ListAsked

type Answer = { [name: string]: unknown }
type Root = {
  readonly place: Place
  readonly own: Place
  readonly scope: string | undefined
  readonly cost: number
}

/** Where in an answer a node is: how many reads it took at the least, and the edge that led to it. */
type At = {
  readonly version: string | undefined
  readonly level: number
  readonly via: { readonly edge: EdgeSpec; readonly entry: EdgeRecord } | undefined
}

/** What beside its world a naive graph is made of. */
export type NaiveOptions = {
  readonly cost?: number | undefined
  /** The ids of app-scoped types as the app of the viewer knows them. */
  readonly toPublic?: ((id: string) => string) | undefined
  /** What the viewer sees, where that is not what the policies of the world say. */
  readonly seen?: Seen | undefined
}

/**
 * The reads of a graph as the design describes them, done in the most obvious way: all that the viewer may not see is
 * taken away first, lists are sorted whole and sliced, nodes are looked up one by one. Cursors and links are answered as
 * what they mean.
 */
export class NaiveGraph {
  /** What has been asked for so far. */
  readonly levels = new Levels()
  readonly #world: World
  readonly #seen: Seen
  readonly #costLimit: number
  readonly #toPublic: ((id: string) => string) | undefined

  constructor(world: World, { cost = 25_000, toPublic, seen = seenOf(world) }: NaiveOptions = {}) {
    this.#world = world
    this.#seen = seen
    this.#costLimit = cost
    this.#toPublic = toPublic
  }

  getMe(asked: Asked): Answer {
    return this.getNode({ ...asked, id: 'me' })
  }

  getNode({ id, type, ...asked }: NodeAsked): Answer {
    const record = this.#root(id, type)
    this.#admit([this.#rootOf(id, type, record, asked)], asked)
    return this.#node(record, asked.fields ?? [], this.#at(1, asked))
  }

  getNodes({ ids, ...asked }: NodesAsked): Answer {
    if (ids.includes('me')) this.#viewer()
    const records = ids.map(id => [id, this.#root(id, undefined)] as const)
    this.#admit(
      records.map(([id, record]) => this.#rootOf(id, undefined, record, asked)),
      asked,
    )
    return Object.fromEntries(
      records.map(([id, record]) => [id, this.#node(record, asked.fields ?? [], this.#at(1, asked))]),
    )
  }

  getEdge({ id, type, ...asked }: EdgeAsked): Answer {
    const record = this.#root(id, type)
    const edge = this.#world.schema.types[record.type]?.edges[asked.edge]
    if (edge === undefined) throw new NaiveFault('unknown_field')
    const place = { types: edge.targets, edge }
    const cost = new NaiveCost(this.#world.schema, asked.version).source(record.type, edge, asked)
    this.#admit([{ place, own: place, scope: edge.scope, cost }], asked)
    return this.#page(record, edge, asked, this.#at(this.#isForeseen(asked, type) ? 1 : 2, asked))
  }

  /** Whether the list can be read together with its source, since its order does not depend on the source's type. */
  #isForeseen({ edge, order }: ListAsked, type: string | undefined): boolean {
    const lists = Object.values(this.#world.schema.types).flatMap(({ edges }) => edges[edge] ?? [])
    return order !== undefined || type !== undefined || new Set(lists.map(list => list.order)).size === 1
  }

  #at(level: number, { version }: { readonly version?: string | undefined }, via?: At['via']): At {
    this.levels.read(level)
    return { version, level, via }
  }

  #root(id: string, type: string | undefined): NodeRecord {
    const viewer = id === 'me' ? this.#viewer() : undefined
    const record = this.#seen.nodes.find(node =>
      viewer === undefined ? this.#idOf(node) === id : node.id === viewer,
    )
    const stands = id !== 'me' || this.#world.schema.viewers.includes(record?.type ?? '')
    if (record === undefined || !stands || (type ?? record.type) !== record.type)
      throw new NaiveFault('node_missing')
    return record
  }

  /** That a token stands for nobody is a fault of the token, and so comes before those of other ids. */
  #viewer(): string {
    const { viewer } = this.#world
    if (viewer === undefined) throw new NaiveFault('viewer_missing')
    return viewer
  }

  #find(id: unknown): NodeRecord | undefined {
    return this.#seen.nodes.find(node => node.id === id)
  }

  /** What the viewer's app calls a node. */
  #idOf({ id, type }: NodeRecord): string {
    return this.#isAppScoped(type) ? (this.#toPublic?.(id) ?? id) : id
  }

  /** Without ids of apps a type's ids are the store's own, whatever it declares. */
  #isAppScoped(type: string): boolean {
    return this.#toPublic !== undefined && this.#world.schema.types[type]?.appScoped === true
  }

  /** `me` is asked of all viewers' types, and needs the scopes of its own. */
  #rootOf(id: string, type: string | undefined, record: NodeRecord, { fields = [], version }: Asked): Root {
    const own = { types: [record.type], edge: undefined }
    const isAnyViewer = id === 'me' && type === undefined
    return {
      place: isAnyViewer ? { types: this.#world.schema.viewers, edge: undefined } : own,
      own,
      scope: undefined,
      cost: new NaiveCost(this.#world.schema, version).node(own, fields),
    }
  }

  /** Faults come in their order: names, width, scopes, cost, times. */
  #admit(roots: readonly Root[], { fields = [], version }: Asked): void {
    const check = new QueryCheck(this.#world.schema, version)
    for (const { place } of roots) {
      const [fault] = check.names([place], fields)
      if (fault !== undefined) throw new NaiveFault(fault)
      if (check.isTooWide(place, fields)) throw new NaiveFault('expression_too_wide')
    }
    for (const { own, scope } of roots) {
      const needed = [...(scope === undefined ? [] : [scope]), ...check.scopes(own, fields)]
      if (!needed.every(word => this.#grants(word))) throw new NaiveFault('scope_missing')
    }
    const cost = roots.reduce((sum, root) => sum + root.cost, 0)
    if (cost > this.#costLimit) throw new NaiveFault('too_costly')
    if (!roots.every(({ place }) => check.areTimesGood(place, fields))) throw new NaiveFault('bad_parameter')
  }

  #grants(scope: string | undefined): boolean {
    return scope === undefined || this.#world.scopes.includes(scope)
  }

  #node(record: NodeRecord, items: readonly Item[], at: At): Answer {
    const defaults = defaultsOf(this.#world.schema, record.type, at.via?.edge)
    const answer: Answer = {}
    for (const item of items.length > 0 ? items : defaults.map((name): Item => ({ name }))) {
      const value = this.#value(record, item, at)
      if (value !== undefined) answer[keyOf(item)] = value
    }
    return Object.hasOwn(answer, 'id') ? answer : { ...answer, id: this.#idOf(record) }
  }

  #value(record: NodeRecord, item: Item, at: At): unknown {
    const { version, level, via } = at
    const declared = declaredAs(this.#world.schema, record.type, via?.edge, item.name)
    if (declared === undefined || !isThere(declared, version)) return undefined
    if (declared.kind === 'id') return this.#idOf(record)
    if (declared.kind === 'edge')
      return this.#page(record, declared.edge, { ...item, edge: item.name }, this.#at(level + 1, at))
    const { field } = declared
    if (!this.#grants(field.scope)) return undefined
    if (declared.kind === 'field' && !this.#seen.shows(record, item.name)) return undefined
    switch (field.kind) {
      case 'edgeTime':
        return via && datetimeText(via.entry.time)
      case 'role':
        return via?.entry.data?.[item.name]
      case 'computed':
        return computedText(record.id, item.times)
      case 'viewerEdge':
        if (this.#world.viewer !== undefined) this.levels.test(`${record.id} ${field.edge}`, level + 1)
        return isEdgeToViewer(this.#world, record.id, field.edge)
      case 'ref': {
        const id = record.fields[item.name]
        const below = id === undefined ? at : this.#at(level + 1, at)
        const target = this.#find(id)
        if (target === undefined || !field.targets.includes(target.type)) return undefined
        return this.#node(target, item.fields ?? [], below)
      }
      case 'value': {
        const stored = record.fields[item.name]
        return stored === undefined ? undefined : answerOf(field.of, stored)
      }
    }
  }

  #page(source: NodeRecord, spec: EdgeSpec, asked: ListAsked, at: At): Answer {
    const order = asked.order === undefined || asked.order === 'sideways' ? spec.order : asked.order
    const list = listOf(this.#seen.edges, source.id, asked.edge, order)
    const { after, before } = asked
    const window = list
      .filter(({ time }) => isWithin(time, asked.since, asked.until))
      .filter(edge => after === undefined || comparePlaces(order, edge, after) > 0)
      .filter(edge => before === undefined || comparePlaces(order, edge, before) < 0)
    const size = pageSize(asked)
    const page = before === undefined || size === 0 ? window.slice(0, size) : window.slice(-size)
    const data = page.flatMap(entry => {
      const node = this.#find(entry.target)
      return node === undefined
        ? []
        : [this.#node(node, asked.fields ?? [], { ...at, via: { edge: spec, entry } })]
    })
    const base = at.version === undefined ? '' : `/${at.version}`
    const path = `${base}/${this.#idOf(source)}/${asked.edge}`
    const fields = new QueryCheck(this.#world.schema, at.version).known(
      [{ types: spec.targets, edge: spec }],
      asked.fields ?? [],
    )
    const appScoped = spec.targets.some(type => this.#isAppScoped(type))
    const place = { path, order, appScoped, asked: { ...asked, fields } }
    const paging = pagingOf(place, page, window.length > page.length)
    return {
      data,
      ...(paging && { paging }),
      ...(asked.summary && { summary: { order, total_count: list.length } }),
    }
  }
}
