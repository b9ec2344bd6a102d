import { describe } from '../base/describe.ts'
import { compareVersions, isVersion } from '../base/version.ts'
import { faultsOfDefaultRefs } from './check-defaults.ts'
import { faultOfName, faultOfParameterName } from './check-names.ts'
import { faultsOfPolicies } from './check-policies.ts'
import { didYouMean } from './did-you-mean.ts'
import type { EdgeType } from './edge.ts'
import type { Field, ValueField } from './field.ts'
import type { NodeType } from './node.ts'
import { own } from './own.ts'
import { pictureType } from './picture-type.ts'
import type { Schema } from './schema.ts'
import { birthdayType } from './time-types.ts'

const quote = (word: string): string => `"${word}"`

/** The types of a list of names, leaving out those that are reported as unknown elsewhere. */
const known = (schema: Schema, names: readonly string[]): readonly (readonly [string, NodeType])[] =>
  names.flatMap(name => {
    const type = own(schema.types, name)
    return type === undefined ? [] : [[name, type] as const]
  })

const faultsOfTargets = (schema: Schema, place: string, targets: readonly string[]): string[] =>
  targets
    .filter(target => !Object.hasOwn(schema.types, target))
    .map(
      target => `${place}: there is no type ${quote(target)}${didYouMean(target, Object.keys(schema.types))}`,
    )

const faultsOfVersions = (schema: Schema, place: string, { since, removedIn }: Field): string[] => {
  const faults = [since, removedIn]
    .filter(version => version !== undefined && !isVersion(version))
    .map(version => `${place}: expected a version such as v1.0, came ${describe(version)}`)
  if (faults.length > 0 || since === undefined) return faults
  if (removedIn !== undefined && compareVersions(since, removedIn) >= 0)
    return [`${place}: removed in ${removedIn}, before it came in ${since}`]
  const newest = schema.versions.filter(isVersion).toSorted(compareVersions).at(-1)
  return newest === undefined || compareVersions(since, newest) <= 0
    ? []
    : [`${place}: there is no version with it, since it came in ${since} and the newest is ${newest}`]
}

const faultsOfValue = (place: string, type: NodeType, field: ValueField): string[] => {
  const faults: string[] = []
  const birthday = field.from === undefined ? undefined : type.fields[field.from]
  if (field.from !== undefined && !(birthday?.kind === 'value' && birthday.type === birthdayType)) {
    faults.push(`${place}: there is no birthday ${quote(field.from)} to compute it from`)
  }
  if (field.resolve !== undefined && field.required)
    faults.push(`${place}: a computed field cannot be required`)
  const named = Object.keys(field.parameters)
  if (named.length > 0 && field.resolve === undefined && field.type !== pictureType) {
    faults.push(`${place}: only a computed field takes parameters`)
  }
  const badNames = named.flatMap(name => faultOfParameterName(name) ?? [])
  return [...faults, ...badNames.map(fault => `${place}: ${fault}`)]
}

const faultsOfField = (schema: Schema, place: string, type: NodeType, field: Field): string[] => {
  const faults = faultsOfVersions(schema, place, field)
  if (field.kind === 'ref') faults.push(...faultsOfTargets(schema, place, field.targets))
  if (field.kind === 'value') faults.push(...faultsOfValue(place, type, field))
  if (field.kind === 'edgeTime')
    faults.push(`${place}: a node has no edge time; declare it in the fields of an edge`)
  if (field.kind === 'viewerEdge' && !Object.hasOwn(type.edges, field.edge)) {
    faults.push(`${place}: there is no edge ${quote(field.edge)} on the same type`)
  }
  return faults
}

const faultsOfEntryFields = (schema: Schema, place: string, edge: EdgeType): string[] =>
  Object.entries(edge.fields).flatMap(([name, field]) => {
    const at = `${place}.${name}`
    const faults = faultsOfVersions(schema, at, field)
    const badName = faultOfName('field', name)
    if (badName !== undefined) faults.push(`${place}: ${badName}`)
    const stored = field.kind === 'value' && field.resolve === undefined && field.from === undefined
    if (!stored && field.kind !== 'edgeTime')
      faults.push(`${at}: the fields of an edge are stored values and edge times`)
    if (field.default) faults.push(`${at}: name it in the edge's defaults instead`)
    for (const [target, type] of known(schema, edge.targets)) {
      if (!Object.hasOwn(type.fields, name) && !Object.hasOwn(type.edges, name)) continue
      faults.push(`${at}: ${target} has a field or edge of that name too`)
    }
    return faults
  })

const faultsOfMirror = (
  schema: Schema,
  place: string,
  owner: string,
  name: string,
  edge: EdgeType,
): string[] => {
  if (edge.symmetric) {
    if (edge.inverse !== undefined) return [`${place}: an edge is symmetric or has an inverse, not both`]
    return edge.targets.every(target => target === owner)
      ? []
      : [`${place}: a symmetric edge leads to its own type`]
  }
  if (edge.inverse === undefined) return []
  const mirrorName = edge.inverse
  return known(schema, edge.targets).flatMap(([target, type]) => {
    const mirror = own(type.edges, mirrorName)
    if (mirror === undefined) return [`${place}: its inverse ${target}.${mirrorName} does not exist`]
    if (mirror.inverse === name && mirror.targets.includes(owner)) return []
    return [`${place}: its inverse ${target}.${mirrorName} does not lead back to it`]
  })
}

const faultsOfDefaults = (schema: Schema, place: string, edge: EdgeType): string[] =>
  (edge.defaults ?? [])
    .filter(name => name !== 'id' && !Object.hasOwn(edge.fields, name))
    .filter(name => !known(schema, edge.targets).some(([, type]) => Object.hasOwn(type.fields, name)))
    .map(name => `${place}: its default ${quote(name)} is no field of what it leads to`)

const natureOf = (type: NodeType, name: string): string | undefined => {
  if (Object.hasOwn(type.edges, name)) return 'an edge'
  const field = own(type.fields, name)
  return field && (field.kind === 'value' ? `a ${field.type.name}` : `a ${field.kind}`)
}

/** Where several types are answered as one, a name must mean one thing. */
const faultsOfUnion = (schema: Schema, place: string, names: readonly string[]): string[] => {
  const [first, ...rest] = known(schema, names)
  const faults: string[] = []
  const seen = new Map<string, readonly [string, string]>()
  for (const [typeName, type] of first === undefined || rest.length === 0 ? [] : [first, ...rest]) {
    for (const name of [...Object.keys(type.fields), ...Object.keys(type.edges)]) {
      const nature = natureOf(type, name) ?? ''
      const [otherType, otherNature] = seen.get(name) ?? [typeName, nature]
      if (nature !== otherNature) {
        faults.push(`${place}: ${quote(name)} is ${otherNature} on ${otherType} and ${nature} on ${typeName}`)
      }
      seen.set(name, [otherType, otherNature])
    }
  }
  return faults
}

const faultsOfEdge = (schema: Schema, owner: string, name: string, edge: EdgeType): string[] => {
  const place = `${owner}.${name}`
  return [
    ...faultsOfTargets(schema, place, edge.targets),
    ...faultsOfMirror(schema, place, owner, name, edge),
    ...faultsOfDefaults(schema, place, edge),
    ...faultsOfEntryFields(schema, place, edge),
    ...faultsOfUnion(schema, place, edge.targets),
  ]
}

const faultsOfType = (schema: Schema, name: string, type: NodeType): string[] => {
  const badName = faultOfName('type', name)
  const members = [...Object.keys(type.fields), ...Object.keys(type.edges)]
  const badMembers = members.flatMap(member => faultOfName('field or edge', member) ?? [])
  const faults = [
    ...(badName === undefined ? [] : [badName]),
    ...badMembers.map(fault => `${name}: ${fault}`),
  ]
  for (const twice of Object.keys(type.edges).filter(edge => Object.hasOwn(type.fields, edge))) {
    faults.push(`${name}: ${quote(twice)} is both a field and an edge`)
  }
  for (const [field, declared] of Object.entries(type.fields)) {
    faults.push(...faultsOfField(schema, `${name}.${field}`, type, declared))
    if (declared.kind === 'ref') faults.push(...faultsOfUnion(schema, `${name}.${field}`, declared.targets))
  }
  for (const [edge, declared] of Object.entries(type.edges))
    faults.push(...faultsOfEdge(schema, name, edge, declared))
  return faults
}

/** Every fault of a schema, each with its place; empty where it is sound. */
export const faultsOfSchema = (schema: Schema): readonly string[] => [
  ...(schema.versions.length === 0 ? ['versions: expected at least one'] : []),
  ...schema.versions
    .filter(version => !isVersion(version))
    .map(v => `versions: expected such as v1.0, came ${describe(v)}`),
  ...(new Set(schema.versions).size < schema.versions.length ? ['versions: one is named twice'] : []),
  ...faultsOfTargets(schema, 'viewers', schema.viewers),
  ...faultsOfUnion(schema, 'viewers', schema.viewers),
  ...Object.entries(schema.types).flatMap(([name, type]) => faultsOfType(schema, name, type)),
  ...faultsOfPolicies(schema),
  ...faultsOfDefaultRefs(schema),
]
