import { declaredAs, defaultsOf, isThere, type Place } from './declared.ts'
import { isBoundary } from './positions.ts'
import { argumentsOf, type Item } from './query.ts'
import type { SchemaSpec } from './world.ts'

/** The largest page, and the page where no limit is asked for. */
export const PAGE = { most: 100, unasked: 25 }

/** How often an expression may open one edge under a policy, a count included. */
const MOST_OPENINGS = 16

export const pageSize = ({ limit = PAGE.unasked }: { readonly limit?: number | undefined }): number =>
  Math.min(limit, PAGE.most)

type Declared = NonNullable<ReturnType<typeof declaredAs>>

/** Where an edge or a ref leads; nowhere for everything else. */
const leadsTo = (declared: Declared): Place[] => {
  if (declared.kind === 'edge') return [{ types: declared.edge.targets, edge: declared.edge }]
  if (declared.kind !== 'field' || declared.field.kind !== 'ref') return []
  return [{ types: declared.field.targets, edge: undefined }]
}

/** Judges a query before any of it is answered, by walking its items once for each kind of fault. */
export class QueryCheck {
  readonly #schema: SchemaSpec
  readonly #version: string | undefined

  constructor(schema: SchemaSpec, version: string | undefined) {
    this.#schema = schema
    this.#version = version
  }

  /**
   * The faults of names and arguments, in the order of the text. Names below an item are judged over all places that it
   * leads to, whichever type declares it.
   */
  names(places: readonly Place[], items: readonly Item[]): readonly string[] {
    return items.flatMap(item => {
      const declared = places.flatMap(({ types, edge }) =>
        types.flatMap(type => declaredAs(this.#schema, type, edge, item.name) ?? []),
      )
      if (declared.length === 0) return ['unknown_field']
      const there = declared.filter(one => isThere(one, this.#version))
      if (there.length === 0) return ['not_in_version']
      const faults = there.flatMap(one => this.#faultsOf(one, item))
      return faults.length > 0 ? faults : this.names(there.flatMap(leadsTo), item.fields ?? [])
    })
  }

  /** What a link to a place asks for: only names that are known there. */
  known(places: readonly Place[], items: readonly Item[]): readonly Item[] {
    const known = items.flatMap((item): Item[] => {
      const there = places
        .flatMap(({ types, edge }) =>
          types.flatMap(type => declaredAs(this.#schema, type, edge, item.name) ?? []),
        )
        .filter(one => isThere(one, this.#version))
      if (there.length === 0) return []
      return [
        item.fields === undefined
          ? item
          : { ...item, fields: this.known(there.flatMap(leadsTo), item.fields) },
      ]
    })
    return known.length === 0 && items.length > 0 ? [{ name: 'id' }] : known
  }

  #faultsOf(declared: Declared, item: Item): readonly string[] {
    const isComputed = declared.kind === 'field' && declared.field.kind === 'computed'
    if (item.times !== undefined && !isComputed) return ['bad_parameter']
    if (declared.kind === 'edge') {
      const least = item.summary === true ? 0 : 1
      return item.order === 'sideways' || (item.limit !== undefined && item.limit < least)
        ? ['bad_parameter']
        : []
    }
    if (argumentsOf(item).length > 0) return ['bad_parameter']
    return item.fields === undefined || leadsTo(declared).length > 0 ? [] : ['bad_parameter']
  }

  /** The scopes that edges and refs need, on all levels. */
  scopes(place: Place, items: readonly Item[]): readonly string[] {
    return this.#below(place, items, (scope, below, _item, fields) => [
      ...(scope === undefined ? [] : [scope]),
      ...this.scopes(below, fields),
    ])
  }

  /** Whether all times in the query can be read. */
  areTimesGood(place: Place, items: readonly Item[]): boolean {
    const good = this.#below(place, items, (_scope, below, item, fields) => [
      isBoundary(item.since) && isBoundary(item.until) && this.areTimesGood(below, fields),
    ])
    return !good.includes(false)
  }

  /** Whether some list under a policy is opened too often; a record is of one type, the entries of an edge are of several. */
  isTooWide({ types, edge }: Place, items: readonly Item[]): boolean {
    const parts = edge === undefined ? types.map(type => [type]) : [types]
    return parts.some(types => {
      const opened = this.#opened({ types, edge }, items)
      return opened.some(edge => opened.filter(other => other === edge).length > MOST_OPENINGS)
    })
  }

  /** The edges under a policy that are opened, with their types: each as often as it is opened. */
  #opened(place: Place, items: readonly Item[]): readonly string[] {
    return place.types.flatMap(type =>
      this.#below({ types: [type], edge: place.edge }, items, (_scope, below, item, fields) => {
        const isPoliced = below.types.some(target => this.#schema.types[target]?.policy !== undefined)
        const own = below.edge !== undefined && isPoliced ? [`${type}.${item.name}`] : []
        return [...own, ...(item.summary ? own : []), ...this.#opened(below, fields)]
      }),
    )
  }

  /** Visits the items that lead to other nodes, for each type that has them; no items stand for the defaults. */
  #below<T>(
    place: Place,
    items: readonly Item[],
    visit: (scope: string | undefined, below: Place, item: Item, fields: readonly Item[]) => readonly T[],
  ): readonly T[] {
    return place.types.flatMap(type => {
      const asked =
        items.length > 0 ? items : defaultsOf(this.#schema, type, place.edge).map((name): Item => ({ name }))
      return asked.flatMap(item => {
        const declared = declaredAs(this.#schema, type, place.edge, item.name)
        if (declared === undefined || !isThere(declared, this.#version)) return []
        const { fields = [] } = item
        if (declared.kind === 'edge') {
          const { edge } = declared
          return visit(edge.scope, { types: edge.targets, edge }, item, fields)
        }
        if (declared.kind !== 'field' || declared.field.kind !== 'ref') return []
        return visit(declared.field.scope, { types: declared.field.targets, edge: undefined }, item, fields)
      })
    })
  }
}
