import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import { ROOT } from './collections.ts'
import { defaultFieldsOf, findDeclaration, isReadable, type SelectionParent } from './declarations.ts'
import { acceptsValues, findList, identifyList } from './edge-parameters.ts'
import { findOrder } from './list-order.ts'
import { canReadAhead, isCountedSeparately, readListPage } from './list-page.ts'
import { NaiveCost } from './naive-cost.ts'
import { createPaging, type ListOptions } from './paging.ts'
import { type ItemSpec, keyOf } from './query.ts'
import { QueryValidator } from './query-validator.ts'
import { ReadLevels } from './read-levels.ts'
import { NaiveError } from './result-parts.ts'
import { formatDatetime, formatValue } from './values.ts'
import { filterWorld, findEdgeToViewer, type VisibleWorld } from './visible-world.ts'
import { computeText, type EdgeSpec, type EntryFieldSpec, type FieldSpec, type World } from './world.ts'

type NaiveReadOptions = {
  readonly fields?: readonly ItemSpec[] | undefined
  readonly version?: string | undefined
}
export type NaiveNodeOptions = NaiveReadOptions & { readonly id: string; readonly type?: string | undefined }
export type NaiveNodesOptions = NaiveReadOptions & { readonly ids: readonly string[] }
export type NaiveEdgeOptions = NaiveNodeOptions & ListOptions

type NaiveResult = { [name: string]: unknown }
type Root = {
  readonly isViewer: boolean
  readonly parent: SelectionParent
  readonly ownType: SelectionParent
  readonly scope: string | undefined
  readonly cost: number
}

/**
 * The position of a node in a result: its level, which is the minimum number of store reads that it needs,
 * and the edge that leads to it.
 */
type ReadContext = {
  readonly version: string | undefined
  readonly level: number
  readonly via: { readonly edge: EdgeSpec; readonly entry: EdgeRecord } | undefined
}

type ViewerEdgeSpec = Extract<FieldSpec, { readonly kind: 'viewerEdge' }>

/** Returns a field of an edge in the form that results have. */
const formatEntryField = ({ kind }: EntryFieldSpec, { time, data }: EdgeRecord): unknown => {
  if (kind === 'edgeTime') return formatDatetime(time)
  return kind === 'at' ? formatDatetime(Number(data?.at)) : data?.[kind]
}

/** The options of a naive graph. */
export type NaiveOptions = {
  readonly cost?: number | undefined
  /** Maps the ids of app-scoped types to their public ids for the app of the viewer. */
  readonly toPublic?: ((id: string) => string) | undefined
  /** The part of the world that the viewer sees, by default the part that the policies allow. */
  readonly visible?: VisibleWorld | undefined
}

/**
 * The simplest implementation of a graph's reads. It removes the data that the viewer may not see, sorts and
 * slices whole lists, and looks up nodes one by one. Its cursors and links are objects that contain their
 * meaning.
 */
export class NaiveGraph {
  /** The levels of all reads so far. */
  readonly levels = new ReadLevels()
  readonly #world: World
  readonly #visible: VisibleWorld
  readonly #costLimit: number
  readonly #toPublic: ((id: string) => string) | undefined

  constructor(world: World, { cost = 25_000, toPublic, visible = filterWorld(world) }: NaiveOptions = {}) {
    this.#world = world
    this.#visible = visible
    this.#costLimit = cost
    this.#toPublic = toPublic
  }

  getMe(options: NaiveReadOptions): NaiveResult {
    return this.getNode({ ...options, id: 'me' })
  }

  getNode({ id, type, ...options }: NaiveNodeOptions): NaiveResult {
    const record = this.#findRoot(id, type)
    this.#validate([this.#createRoot(id, type, record, options)], options)
    return this.#formatNode(record, options.fields ?? [], this.#enterLevel(id === ROOT ? 0 : 1, options))
  }

  getNodes({ ids, ...options }: NaiveNodesOptions): NaiveResult {
    if (ids.includes('me')) this.#requireViewer()
    const records = ids.map(id => [id, this.#findRoot(id, undefined)] as const)
    this.#validate(
      records.map(([id, record]) => this.#createRoot(id, undefined, record, options)),
      options,
    )
    // The node of collections is not stored.
    const level = ids.every(id => id === ROOT) ? 0 : 1
    return Object.fromEntries(
      records.map(([id, record]) => [
        id,
        this.#formatNode(record, options.fields ?? [], this.#enterLevel(level, options)),
      ]),
    )
  }

  getEdge({ id, type, ...options }: NaiveEdgeOptions): NaiveResult {
    const record = this.#findRoot(id, type)
    const edge = this.#world.schema.types[record.type]?.edges[options.edge]
    if (edge === undefined) throw new NaiveError('field_not_found')
    if (!acceptsValues(edge, options.parameters) || findOrder(edge, options.order) === undefined)
      throw new NaiveError('invalid_parameter')
    const parent = { types: edge.targets, edge }
    const cost = new NaiveCost(this.#world.schema, options.version).sourceCost(record.type, edge, options)
    this.#validate([{ isViewer: false, parent, ownType: parent, scope: edge.scope, cost }], options)
    return this.#readPage(
      record,
      edge,
      options,
      this.#enterLevel(id === ROOT || canReadAhead(this.#world.schema, options, type) ? 1 : 2, options),
    )
  }

  #enterLevel(
    level: number,
    { version }: { readonly version?: string | undefined },
    via?: ReadContext['via'],
  ): ReadContext {
    this.levels.addRead(level)
    return { version, level, via }
  }

  #findRoot(id: string, type: string | undefined): NodeRecord {
    const viewer = id === 'me' ? this.#requireViewer() : undefined
    const record = this.#visible.nodes.find(node =>
      viewer === undefined ? this.#idOf(node) === id : node.id === viewer,
    )
    const isViewerType = id !== 'me' || this.#world.schema.viewers.includes(record?.type ?? '')
    if (record === undefined || !isViewerType || (type ?? record.type) !== record.type)
      throw new NaiveError('node_not_found')
    return record
  }

  /**
   * Throws if the token has no viewer. This error precedes the errors of ids, because it is an error of the
   * token.
   */
  #requireViewer(): string {
    const { viewer } = this.#world
    if (viewer === undefined) throw new NaiveError('viewer_required')
    return viewer
  }

  #findNode(id: unknown): NodeRecord | undefined {
    return this.#visible.nodes.find(node => node.id === id)
  }

  /** Returns the id of a node for the app of the viewer. */
  #idOf({ id, type }: NodeRecord): string {
    return this.#isAppScoped(type) ? (this.#toPublic?.(id) ?? id) : id
  }

  /** Whether a type has public ids. Returns false for all types without `toPublic`. */
  #isAppScoped(type: string): boolean {
    return this.#toPublic !== undefined && this.#world.schema.types[type]?.appScoped === true
  }

  /**
   * Creates a root. For `me`, names are checked for all viewer types, but scopes only for the viewer's own
   * type.
   */
  #createRoot(
    id: string,
    type: string | undefined,
    record: NodeRecord,
    { fields = [], version }: NaiveReadOptions,
  ): Root {
    const ownType = { types: [record.type], edge: undefined }
    const isAnyViewer = id === 'me' && type === undefined
    return {
      isViewer: id === 'me',
      parent: isAnyViewer ? { types: this.#world.schema.viewers, edge: undefined } : ownType,
      ownType,
      scope: undefined,
      cost: new NaiveCost(this.#world.schema, version).nodeCost(ownType, fields),
    }
  }

  /** Throws the first error in the order of the engine: names, width, scopes, cost, times. */
  #validate(roots: readonly Root[], { fields = [], version }: NaiveReadOptions): void {
    const validator = new QueryValidator(this.#world.schema, version)
    for (const { parent } of roots) {
      const [error] = validator.nameErrors([parent], fields)
      if (error !== undefined) throw new NaiveError(error)
      if (validator.isTooWide(parent, fields)) throw new NaiveError('expression_too_wide')
    }
    // The ids of one type have one plan, and `me` has a plan of its own. All plans together have the same limit.
    const ofIds = new Set(roots.flatMap(({ isViewer, ownType }) => (isViewer ? [] : ownType.types)))
    const ofViewer = roots.flatMap(({ isViewer, ownType }) => (isViewer ? ownType.types : []))
    if (roots.length > 1 && validator.isTooWideForAll([...ofIds, ...ofViewer], fields))
      throw new NaiveError('expression_too_wide')
    for (const { ownType, scope } of roots) {
      const needed = [...(scope === undefined ? [] : [scope]), ...validator.requiredScopes(ownType, fields)]
      if (!needed.every(word => this.#hasScope(word))) throw new NaiveError('scope_missing')
    }
    const cost = roots.reduce((sum, root) => sum + root.cost, 0)
    if (cost > this.#costLimit) throw new NaiveError('query_too_expensive')
    if (!roots.every(({ parent }) => validator.areTimesValid(parent, fields)))
      throw new NaiveError('invalid_parameter')
  }

  #hasScope(scope: string | undefined): boolean {
    return scope === undefined || this.#world.scopes.includes(scope)
  }

  #formatNode(record: NodeRecord, items: readonly ItemSpec[], context: ReadContext): NaiveResult {
    const defaults = defaultFieldsOf(this.#world.schema, record.type, context.via?.edge)
    const result: NaiveResult = {}
    for (const item of items.length > 0 ? items : defaults.map((name): ItemSpec => ({ name }))) {
      const value = this.#formatValue(record, item, context)
      if (value !== undefined) result[keyOf(item)] = value
    }
    return Object.hasOwn(result, 'id') ? result : { ...result, id: this.#idOf(record) }
  }

  #formatValue(record: NodeRecord, item: ItemSpec, context: ReadContext): unknown {
    const { version, level, via } = context
    const declared = findDeclaration(this.#world.schema, record.type, via?.edge, item.name)
    if (declared === undefined || !isReadable(declared, item, version)) return undefined
    if (declared.kind === 'id') return this.#idOf(record)
    if (declared.kind === 'edge')
      return this.#readPage(
        record,
        declared.edge,
        { ...item, edge: item.name },
        this.#enterLevel(level + 1, context),
      )
    const { field } = declared
    if (!this.#hasScope(field.scope)) return undefined
    if (declared.kind === 'field' && !this.#visible.isFieldVisible(record, item.name)) return undefined
    switch (field.kind) {
      case 'edgeTime':
      case 'role':
      case 'rank':
      case 'stamp':
      case 'at':
        return via && formatEntryField(field, via.entry)
      case 'computed':
        return computeText(record.id, item.times)
      case 'viewerEdge':
        return this.#formatViewerEdge(record, field, level)
      case 'ref': {
        const id = record.fields[item.name]
        const below = id === undefined ? context : this.#enterLevel(level + 1, context)
        const target = this.#findNode(id)
        if (target === undefined || !field.targets.includes(target.type)) return undefined
        return this.#formatNode(target, item.fields ?? [], below)
      }
      case 'value': {
        const stored = record.fields[item.name]
        return stored === undefined ? undefined : formatValue(field.of, stored)
      }
    }
  }

  #formatViewerEdge(record: NodeRecord, field: ViewerEdgeSpec, level: number): unknown {
    const edge = this.#world.schema.types[record.type]?.edges[field.edge]
    const edgeField = edge?.fields[field.field ?? '']
    const isReadable =
      edgeField === undefined ||
      (this.#hasScope(edge?.scope) &&
        this.#hasScope(edgeField.scope) &&
        this.#visible.isEdgeVisible(record, field.edge))
    if (edge === undefined || !isReadable) return undefined
    const list = findList(field.edge, edge, field.parameters)
    if (this.#world.viewer !== undefined) this.levels.addCheck(`${record.id} ${list}`, level + 1)
    const found = findEdgeToViewer(this.#world, record, field)
    return edgeField === undefined ? found !== undefined : found && formatEntryField(edgeField, found)
  }

  #readPage(source: NodeRecord, spec: EdgeSpec, options: ListOptions, context: ReadContext): NaiveResult {
    const { order, entries, hasMore, total } = readListPage(this.#visible, source.id, spec, options)
    const isWindow = options.since !== undefined || options.until !== undefined
    if (isWindow && order.kind !== 'time') throw new NaiveError('invalid_parameter')
    const entryContext = isCountedSeparately(this.#world, source.id, spec, options)
      ? this.#enterLevel(context.level + 1, context)
      : context
    const data = entries.flatMap(entry => {
      const node = this.#findNode(entry.target)
      return node === undefined
        ? []
        : [this.#formatNode(node, options.fields ?? [], { ...entryContext, via: { edge: spec, entry } })]
    })
    const base = context.version === undefined ? '' : `/${context.version}`
    const path = `${base}/${this.#idOf(source)}/${options.edge}`
    const fields = new QueryValidator(this.#world.schema, context.version).keepKnown(
      [{ types: spec.targets, edge: spec }],
      options.fields ?? [],
    )
    const appScoped = spec.targets.some(type => this.#isAppScoped(type))
    const values = identifyList(options.edge, spec, options.parameters)
    const target = { path, source: source.id, order, appScoped, values, options: { ...options, fields } }
    const paging = createPaging(target, entries, hasMore)
    return {
      data,
      ...(paging && { paging }),
      ...(options.summary && { summary: { order: order.name, total_count: total } }),
    }
  }
}
