import { describeValue } from '../base/describe.ts'
import { formatIssue } from '../base/usage-error.ts'
import { compareVersions, isVersion } from '../base/version.ts'
import { findCollectionErrors } from './check-collections.ts'
import { findDefaultRefErrors } from './check-defaults.ts'
import { findEdgeParameterErrors, findParameterTypeErrors } from './check-edge-parameters.ts'
import { findIdErrors } from './check-ids.ts'
import { findNameError, findParameterNameError } from './check-names.ts'
import { findOrderErrors } from './check-orders.ts'
import { findPolicyErrors } from './check-policies.ts'
import { findReadErrors } from './check-reads.ts'
import { findKnownTypes, findTargetErrors } from './check-targets.ts'
import { findViewerEdgeErrors } from './check-viewer-edges.ts'
import type { EdgeType } from './edge.ts'
import type { Field, ValueField } from './field.ts'
import type { NodeType } from './node.ts'
import { getOwn } from './node.ts'
import { pictureType } from './picture-type.ts'
import type { Schema } from './schema.ts'
import { birthdayType } from './time-types.ts'

const TARGET_SUBJECT = 'each target'
const VERSION_EXPECTED = 'a version such as v1.0'

const quote = (word: string): string => `"${word}"`

const findVersionErrors = (schema: Schema, location: string, { since, removedIn }: Field): string[] => {
  const errors = Object.entries({ since, removedIn })
    .filter(([, version]) => version !== undefined && !isVersion(version))
    .map(([name, version]) => formatIssue(location, quote(name), VERSION_EXPECTED, describeValue(version)))
  if (errors.length > 0 || since === undefined) return errors
  if (removedIn !== undefined && compareVersions(since, removedIn) >= 0)
    return [formatIssue(location, '"removedIn"', `a version after ${since}`, describeValue(removedIn))]
  const newestVersion = schema.versions.filter(isVersion).toSorted(compareVersions).at(-1)
  return newestVersion === undefined || compareVersions(since, newestVersion) <= 0
    ? []
    : [formatIssue(location, '"since"', `at most ${newestVersion}, the newest version`, describeValue(since))]
}

const findValueFieldErrors = (location: string, type: NodeType, field: ValueField): string[] => {
  const errors: string[] = []
  const birthdayField = field.from === undefined ? undefined : type.fields[field.from]
  if (field.from !== undefined && !(birthdayField?.kind === 'value' && birthdayField.type === birthdayType)) {
    errors.push(formatIssue(location, '"from"', 'a birthday field of the type', describeValue(field.from)))
  }
  for (const option of ['required', 'present'] as const) {
    if (field.resolve !== undefined && field[option])
      errors.push(formatIssue(location, quote(option), 'left out of a computed field', 'true'))
  }
  const parameterNames = Object.keys(field.parameters)
  if (parameterNames.length > 0 && field.resolve === undefined && field.type !== pictureType) {
    const received = `parameters for a field without "resolve"`
    errors.push(formatIssue(location, '"parameters"', 'left out of a stored field', received))
  }
  return [...errors, ...parameterNames.flatMap(name => findParameterNameError(location, name) ?? [])]
}

const findFieldErrors = (schema: Schema, location: string, type: NodeType, field: Field): string[] => {
  const errors = findVersionErrors(schema, location, field)
  if (field.kind === 'ref') errors.push(...findTargetErrors(schema, location, TARGET_SUBJECT, field.targets))
  if (field.kind === 'value') {
    errors.push(...findValueFieldErrors(location, type, field))
    errors.push(...findParameterTypeErrors(schema, location, field.parameters))
  }
  if (field.kind === 'edgeTime')
    errors.push(formatIssue(location, 'an edge time', 'a field of an edge', 'a field of a node'))
  if (field.kind === 'viewerEdge') errors.push(...findViewerEdgeErrors(location, type, field))
  return errors
}

const describeKind = ({ kind }: Field): string =>
  kind === 'value' ? 'a computed value' : `a ${kind}, which only a node can have`

const findEdgeFieldErrors = (schema: Schema, location: string, edge: EdgeType): string[] =>
  Object.entries(edge.fields).flatMap(([name, field]) => {
    const fieldLocation = `${location}.${name}`
    const errors = findVersionErrors(schema, fieldLocation, field)
    const nameError = findNameError(location, 'field', name)
    if (nameError !== undefined) errors.push(nameError)
    const isStored = field.kind === 'value' && field.resolve === undefined && field.from === undefined
    if (!isStored && field.kind !== 'edgeTime')
      errors.push(
        formatIssue(
          fieldLocation,
          'a field of an edge',
          'a stored value or an edge time',
          describeKind(field),
        ),
      )
    if (field.default)
      errors.push(formatIssue(fieldLocation, '"default"', 'left out, since the edge has "defaults"', 'true'))
    for (const [target, type] of findKnownTypes(schema, edge.targets)) {
      if (!Object.hasOwn(type.fields, name) && !Object.hasOwn(type.edges, name)) continue
      const expected = 'different from the fields and edges of the targets'
      errors.push(formatIssue(fieldLocation, 'the name', expected, `a field or edge of ${target}`))
    }
    return errors
  })

const findMirrorErrors = (
  schema: Schema,
  location: string,
  sourceTypeName: string,
  name: string,
  edge: EdgeType,
): string[] => {
  if (edge.symmetric) {
    if (edge.inverse !== undefined)
      return [formatIssue(location, '"inverse"', 'left out of a symmetric edge', describeValue(edge.inverse))]
    return edge.targets.every(target => target === sourceTypeName)
      ? []
      : [
          formatIssue(
            location,
            'the target of a symmetric edge',
            `the same type, ${sourceTypeName}`,
            edge.targets.join(', '),
          ),
        ]
  }
  if (edge.inverse === undefined) return []
  const mirrorName = edge.inverse
  return findKnownTypes(schema, edge.targets).flatMap(([target, type]) => {
    const mirror = getOwn(type.edges, mirrorName)
    if (mirror === undefined)
      return [formatIssue(location, '"inverse"', `an edge of ${target}`, describeValue(mirrorName))]
    if (mirror.inverse === name && mirror.targets.includes(sourceTypeName)) return []
    const expected = `an edge with the inverse ${quote(name)} and the target ${sourceTypeName}`
    return [formatIssue(location, '"inverse"', expected, `${target}.${mirrorName}`)]
  })
}

const findDefaultErrors = (schema: Schema, location: string, edge: EdgeType): string[] =>
  (edge.defaults ?? [])
    .filter(name => name !== 'id' && !Object.hasOwn(edge.fields, name))
    .filter(
      name => !findKnownTypes(schema, edge.targets).some(([, type]) => Object.hasOwn(type.fields, name)),
    )
    .map(name =>
      formatIssue(location, '"defaults"', 'fields of the edge or its targets', describeValue(name)),
    )

const describeMember = (type: NodeType, name: string): string => {
  const field = getOwn(type.fields, name)
  if (field === undefined || Object.hasOwn(type.edges, name)) return 'edge'
  return field.kind === 'value' ? field.type.name : field.kind
}

/**
 * Returns errors for names that mean members of different kinds in types that one list or ref may contain.
 */
const findUnionErrors = (schema: Schema, location: string, typeNames: readonly string[]): string[] => {
  const [firstType, ...otherTypes] = findKnownTypes(schema, typeNames)
  const errors: string[] = []
  const kindByName = new Map<string, readonly [string, string]>()
  for (const [typeName, type] of firstType === undefined || otherTypes.length === 0
    ? []
    : [firstType, ...otherTypes]) {
    for (const name of [...Object.keys(type.fields), ...Object.keys(type.edges)]) {
      const kind = describeMember(type, name)
      const [otherType, otherKind] = kindByName.get(name) ?? [typeName, kind]
      if (kind !== otherKind) {
        const received = `${otherKind} on ${otherType} and ${kind} on ${typeName}`
        errors.push(formatIssue(location, quote(name), 'of one kind on all types', received))
      }
      kindByName.set(name, [otherType, otherKind])
    }
  }
  return errors
}

const findEdgeErrors = (schema: Schema, sourceTypeName: string, name: string, edge: EdgeType): string[] => {
  const location = `${sourceTypeName}.${name}`
  return [
    ...findTargetErrors(schema, location, TARGET_SUBJECT, edge.targets),
    ...findMirrorErrors(schema, location, sourceTypeName, name, edge),
    ...findDefaultErrors(schema, location, edge),
    ...findEdgeFieldErrors(schema, location, edge),
    ...findEdgeParameterErrors(schema, sourceTypeName, { name, edge }),
    ...findOrderErrors(schema, sourceTypeName, { name, edge }),
    ...findUnionErrors(schema, location, edge.targets),
  ]
}

const findTypeErrors = (schema: Schema, name: string, type: NodeType): string[] => {
  const nameError = findNameError('types', 'type', name)
  const members = [...Object.keys(type.fields), ...Object.keys(type.edges)]
  const memberErrors = members.flatMap(member => findNameError(name, 'field or edge', member) ?? [])
  const errors = [...(nameError === undefined ? [] : [nameError]), ...memberErrors]
  for (const duplicate of Object.keys(type.edges).filter(edgeName => Object.hasOwn(type.fields, edgeName))) {
    errors.push(formatIssue(name, quote(duplicate), 'either a field or an edge', 'both'))
  }
  for (const [fieldName, field] of Object.entries(type.fields)) {
    errors.push(...findFieldErrors(schema, `${name}.${fieldName}`, type, field))
    if (field.kind === 'ref') errors.push(...findUnionErrors(schema, `${name}.${fieldName}`, field.targets))
  }
  for (const [edgeName, edgeType] of Object.entries(type.edges))
    errors.push(...findEdgeErrors(schema, name, edgeName, edgeType))
  return errors
}

const findVersionListErrors = (versions: readonly string[]): string[] => {
  const location = 'versions'
  if (versions.length === 0) return [formatIssue(location, 'the length', 'at least 1', '0')]
  const repeated = versions.find((version, index) => versions.indexOf(version) < index)
  return [
    ...versions
      .filter(version => !isVersion(version))
      .map(version => formatIssue(location, 'each version', VERSION_EXPECTED, describeValue(version))),
    ...(repeated === undefined
      ? []
      : [formatIssue(location, 'each version', 'different', `${describeValue(repeated)} twice`)]),
  ]
}

/** Returns all errors of a schema, each with its location. */
export const findSchemaErrors = (schema: Schema): readonly string[] => [
  ...findVersionListErrors(schema.versions),
  ...findTargetErrors(schema, 'viewers', 'each viewer', schema.viewers),
  ...findUnionErrors(schema, 'viewers', schema.viewers),
  ...Object.entries(schema.types).flatMap(([name, type]) => findTypeErrors(schema, name, type)),
  ...findIdErrors(schema),
  ...findPolicyErrors(schema),
  ...findReadErrors(schema),
  ...findCollectionErrors(schema),
  ...findDefaultRefErrors(schema),
]
