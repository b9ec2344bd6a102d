import { isInVersion } from '../base/version.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field, RefField } from '../schema/field.ts'
import type { Registry } from '../schema/registry.ts'
import { defaultSelection } from './default-selection.ts'
import { lazily } from './link-query.ts'
import { memberOf } from './member.ts'
import type { Area, Declared, DeclaredField, Place, TypePlace } from './place.ts'
import type { ScopeNeed } from './plan.ts'
import { costOfValue } from './value-cost.ts'

const ID: Declared = Object.freeze({ kind: 'id', step: Object.freeze({ kind: 'id', asked: true }) })

const NO_PARAMETERS = Object.freeze({})

const stepOf = (name: string, field: Field, entry: boolean): DeclaredField['step'] => {
  const { scope } = field
  const { key, first, later } = memberOf(name)
  if (field.kind === 'edgeTime')
    return { kind: 'time', key, first, later, field: name, scope, guard: undefined }
  if (field.kind !== 'value' || field.resolve !== undefined || field.policy !== undefined) return undefined
  const { type, from = name } = field
  const parameters = NO_PARAMETERS
  const cost = costOfValue(field, undefined)
  return {
    kind: 'value',
    key,
    first,
    later,
    entry,
    field: name,
    name: from,
    type,
    parameters,
    scope,
    guard: undefined,
    cost,
  }
}

const needOf = (name: string, type: string, scope: string | undefined): ScopeNeed | undefined =>
  scope === undefined ? undefined : { scope, name, type }

/** What a schema declares, as far as it is there in one version: what can be known before any expression. */
export class Declarations {
  readonly registry: Registry
  readonly version: string
  /** By the names of their types. */
  readonly #places = new Map<string, Place>()
  /** By the lists themselves, which schemas keep: it is faster than to put their names together. */
  readonly #lists = new WeakMap<readonly string[], Place>()
  readonly #behind = new Map<EdgeType | RefField, Place>()
  readonly #types = new Map<string, TypePlace>()
  readonly #names = new WeakMap<Area, ReadonlySet<string>>()

  constructor(registry: Registry, version: string) {
    this.registry = registry
    this.version = version
  }

  /** The place of nodes of some types, or of the entries of an edge. */
  placeOf(types: readonly string[], edge: EdgeType | undefined): Place {
    if (edge !== undefined) return this.behind(edge)
    const known = this.#lists.get(types)
    if (known !== undefined) return known
    const place = this.#placeOfNodes(types)
    this.#lists.set(types, place)
    return place
  }

  /** Where an edge or a ref leads. */
  behind(link: EdgeType | RefField): Place {
    const known = this.#behind.get(link)
    if (known !== undefined) return known
    const place = 'kind' in link ? this.#placeOfNodes(link.targets) : this.#placeOfEntries(link)
    this.#behind.set(link, place)
    return place
  }

  /** All names of the types of an area, whatever the version, and of the edge that leads to them. */
  namesIn(area: Area): ReadonlySet<string> {
    const known = this.#names.get(area)
    if (known !== undefined) return known
    const names = new Set<string>()
    for (const { declared } of area) {
      for (const name of Object.keys(declared?.fields ?? {})) names.add(name)
      for (const name of Object.keys(declared?.edges ?? {})) names.add(name)
    }
    for (const name of Object.keys(area[0]?.edge?.fields ?? {})) names.add(name)
    this.#names.set(area, names)
    return names
  }

  #placeOfNodes(types: readonly string[]): Place {
    const key = types.join()
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const area = types.map(type => this.#typePlace(type))
    const place = this.#place(area, undefined)
    this.#places.set(key, place)
    return place
  }

  #placeOfEntries(edge: EdgeType): Place {
    const place = this.#placeOfNodes(edge.targets)
    const fields = Object.entries(edge.fields)
    if (fields.length > 0) {
      const area = place.area.map(({ type, declared, names }): TypePlace => {
        const all = new Map(names)
        for (const [name, field] of fields) this.#enter(all, type, name, field, true)
        return { type, declared, edge, names: all, rulesWithChecks: this.registry.rulesWithChecks(type) }
      })
      return this.#place(area, edge.defaults)
    }
    return edge.defaults === undefined ? place : this.#place(place.area, edge.defaults)
  }

  #place(area: Area, names: readonly string[] | undefined): Place {
    const namesOf = (type: string): readonly string[] => names ?? this.registry.defaultsOf(type)
    return { area, defaults: lazily(() => defaultSelection(area, namesOf, this)) }
  }

  #typePlace(type: string): TypePlace {
    const known = this.#types.get(type)
    if (known !== undefined) return known
    const declared = this.registry.type(type)
    const names = new Map<string, Declared>([['id', ID]])
    if (declared !== undefined)
      names.set('metadata', { kind: 'metadata', described: declared, need: undefined })
    for (const [name, edge] of Object.entries(declared?.edges ?? {})) {
      names.set(name, { kind: 'edge', edge, need: needOf(name, type, edge.scope) })
    }
    for (const [name, field] of Object.entries(declared?.fields ?? {})) {
      this.#enter(names, type, name, field, false)
    }
    const place = {
      type,
      declared,
      edge: undefined,
      names,
      rulesWithChecks: this.registry.rulesWithChecks(type),
    }
    this.#types.set(type, place)
    return place
  }

  /** Enters a field, where it is there in this version. */
  #enter(names: Map<string, Declared>, type: string, name: string, field: Field, entry: boolean): void {
    if (!isInVersion(field, this.version)) return
    const { scope, deprecated } = field
    names.set(name, {
      kind: 'field',
      field,
      entry,
      step: stepOf(name, field, entry),
      need: needOf(name, type, scope),
      deprecation:
        deprecated === undefined ? undefined : `Field ${name} of ${type} is deprecated: ${deprecated}`,
    })
  }
}
