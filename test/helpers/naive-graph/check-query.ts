import { declaredAs, defaultsOf, isThere, type Place } from './declared.ts'
import { isBoundary } from './positions.ts'
import { argumentsOf, type Item } from './query.ts'
import type { SchemaSpec } from './world.ts'

/** The largest page, and the page where no limit is asked for. */
export const PAGE = { most: 100, unasked: 25 }

export const pageSize = ({ limit = PAGE.unasked }: { readonly limit?: number | undefined }): number =>
  Math.min(limit, PAGE.most)

/** Judges a query before any of it is answered, by walking its items once for each kind of fault. */
export class QueryCheck {
  readonly #schema: SchemaSpec
  readonly #version: string | undefined

  constructor(schema: SchemaSpec, version: string | undefined) {
    this.#schema = schema
    this.#version = version
  }

  /** The faults of names and arguments, in the order of the text. */
  names(place: Place, items: readonly Item[]): readonly string[] {
    return items.flatMap(item => {
      const declared = place.types.flatMap(
        type => declaredAs(this.#schema, type, place.edge, item.name) ?? [],
      )
      if (declared.length === 0) return ['unknown_field']
      const there = declared.filter(one => isThere(one, this.#version))
      return there.length === 0 ? ['not_in_version'] : there.flatMap(one => this.#faultsOf(one, item))
    })
  }

  #faultsOf(declared: NonNullable<ReturnType<typeof declaredAs>>, item: Item): readonly string[] {
    const isComputed = declared.kind === 'field' && declared.field.kind === 'computed'
    if (item.times !== undefined && !isComputed) return ['bad_parameter']
    if (declared.kind === 'edge') {
      if (item.order === 'sideways' || (item.limit !== undefined && item.limit < 1)) return ['bad_parameter']
      return this.names({ types: declared.edge.targets, edge: declared.edge }, item.fields ?? [])
    }
    if (argumentsOf(item).length > 0) return ['bad_parameter']
    if (declared.kind === 'field' && declared.field.kind === 'ref') {
      return this.names({ types: declared.field.targets, edge: undefined }, item.fields ?? [])
    }
    return item.fields === undefined ? [] : ['bad_parameter']
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

  /** The most nodes below one node of the place, each edge at its limit (or at `most`, where that is less). */
  cost(place: Place, items: readonly Item[], most: number = PAGE.most): number {
    const costs = place.types.map(type => {
      const alone = { types: [type], edge: place.edge }
      const parts = this.#below(alone, items, (_scope, below, item, fields) => {
        const times = below.edge === undefined ? 1 : Math.min(pageSize(item), most)
        return [times * (1 + this.cost(below, fields, most))]
      })
      return parts.reduce((sum, part) => sum + part, 0)
    })
    return Math.max(0, ...costs)
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
