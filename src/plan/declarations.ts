import { isInVersion } from '../base/version.ts'
import type { FieldItem } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import type { Registry } from '../schema/registry.ts'

/** What a type, or the edge that leads to it, declares under a name. */
export type Declared =
  | { readonly kind: 'id' }
  | { readonly kind: 'field'; readonly field: Field; readonly entry: boolean }
  | { readonly kind: 'edge'; readonly edge: EdgeType }

/** Where an expression is compiled: for nodes of these types, reached by this edge or by none. */
export type Place = { readonly types: readonly string[]; readonly edge: EdgeType | undefined }

/**
 * All places that one list of fields is for. `photos{…}` of a user or a page is asked at both edges, and a name in it is
 * at fault only where it is unknown at all of them.
 */
export type Area = readonly Place[]

/** An item without modifiers or anything below it. */
export const plainItem = (name: string): FieldItem => ({
  name,
  key: name,
  modifiers: [],
  fields: undefined,
})

const ID: Declared = Object.freeze({ kind: 'id' })

/** What the names of an expression mean where they stand, in one version. */
export class Declarations {
  readonly version: string
  readonly #registry: Registry

  constructor(registry: Registry, version: string) {
    this.version = version
    this.#registry = registry
  }

  find({ edge }: Place, type: string, name: string): Declared | undefined {
    if (name === 'id') return ID
    const ofEdge = edge !== undefined && Object.hasOwn(edge.fields, name) ? edge.fields[name] : undefined
    if (ofEdge !== undefined) return { kind: 'field', field: ofEdge, entry: true }
    const field = this.#registry.field(type, name)
    if (field !== undefined) return { kind: 'field', field, entry: false }
    const found = this.#registry.edge(type, name)
    return found && { kind: 'edge', edge: found }
  }

  isHere(declared: Declared): boolean {
    return declared.kind !== 'field' || isInVersion(declared.field, this.version)
  }

  findAll(area: Area, name: string): readonly Declared[] {
    const all: Declared[] = []
    for (const place of area) {
      for (const type of place.types) {
        const declared = this.find(place, type, name)
        if (declared !== undefined) all.push(declared)
      }
    }
    return all
  }
}
