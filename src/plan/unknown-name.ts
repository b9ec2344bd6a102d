import { GraphError } from '../base/faults.ts'
import { isInVersion } from '../base/version.ts'
import type { Field } from '../schema/field.ts'
import { own } from '../schema/own.ts'
import type { Registry } from '../schema/registry.ts'
import type { Declarations } from './declarations.ts'
import type { Area } from './place.ts'
import { unknownField } from './unknown-field.ts'

const notInVersion = (name: string, { since, removedIn }: Field, version: string): GraphError => {
  const early = since !== undefined && !isInVersion({ since, removedIn: undefined }, version)
  const why = early
    ? `requires version ${since} or higher`
    : `is not there in version ${removedIn} and higher`
  return new GraphError('not_in_version', `(#12) Field ${name} ${why}`, { name, version })
}

const fieldsIn = (area: Area, name: string, registry: Registry): readonly Field[] =>
  area.flatMap(({ type, edge }) => (edge && own(edge.fields, name)) ?? registry.field(type, name) ?? [])

/** The fault for a name that none of some types has in this version, nor the edges that lead to them. */
export const unknownName = (declarations: Declarations, area: Area, name: string): GraphError => {
  const { registry, version } = declarations
  const [gated] = fieldsIn(area, name, registry)
  if (gated !== undefined) return notInVersion(name, gated, version)
  const type = [...new Set(area.map(({ type }) => type))].join('|')
  const known = declarations.namesIn(area)
  return unknownField({ name, where: `on node type (${type})`, type, known })
}
