import { describeValue } from '../base/describe.ts'
import { describeUnknownName } from '../base/suggest.ts'
import { formatIssue, formatMismatch } from '../base/usage-error.ts'
import { findComputedEdgeErrors } from './check-computed-edges.ts'
import { findEdgeParameterNameError } from './check-names.ts'
import { findKnownTypes, findTargetErrors } from './check-targets.ts'
import type { EdgeType } from './edge.ts'
import { defaultListOf, findMirrorEdge, listNamesOf, type NamedEdge, pairLists } from './edge-lists.ts'
import { getOwn } from './node.ts'
import { finiteValuesOf, type Parameter, type Parameters } from './parameter.ts'
import type { Schema } from './schema.ts'
import { isStoredField } from './stored-field.ts'

/** Returns an error for each unknown type that an id of the parameters may name. */
export const findParameterTypeErrors = (
  schema: Schema,
  location: string,
  parameters: Parameters,
): readonly string[] =>
  Object.entries(parameters).flatMap(([name, { types = [] }]) => [
    ...findTargetErrors(schema, `${location}.${name}`, 'each type', types),
    ...findMixedTypeErrors(schema, `${location}.${name}`, types),
  ])

/**
 * Returns an error for types of which only some have app-scoped ids. Otherwise, a caller could give the stored
 * id of a node with app-scoped ids.
 */
const findMixedTypeErrors = (
  schema: Schema,
  location: string,
  types: readonly string[],
): readonly string[] => {
  const kinds = new Set(findKnownTypes(schema, types).map(([, { appScoped }]) => appScoped))
  if (kinds.size < 2) return []
  return [formatIssue(location, '"types"', 'types that all have app-scoped ids, or none', types.join(', '))]
}

/** Returns the errors of the fields that the filter of an edge reads. */
const findFilterReadErrors = (
  schema: Schema,
  location: string,
  { targets, reads = [] }: EdgeType,
): string[] => {
  const fields = findKnownTypes(schema, targets).flatMap(([typeName, type]) =>
    Object.entries(type.fields).map(([name, field]) => ({ typeName, name, field })),
  )
  const storedNames = new Set(fields.filter(({ field }) => isStoredField(field)).map(({ name }) => name))
  return reads.flatMap(read => {
    if (!storedNames.has(read)) {
      const received = describeUnknownName(read, storedNames)
      return [formatIssue(location, '"reads"', 'stored fields of the targets', received)]
    }
    return fields
      .filter(({ name, field }) => name === read && (field.scope ?? field.policy) !== undefined)
      .map(({ typeName, field }) => {
        const protection = field.scope === undefined ? 'a policy' : 'a scope'
        const received = `${describeValue(read)}, which has ${protection} on ${typeName}`
        return formatIssue(location, '"reads"', 'fields without scope and policy', received)
      })
  })
}

const findFilterErrors = (schema: Schema, location: string, edge: EdgeType): string[] => {
  // The fields that `resolve` reads are those of the source, and another check reports them.
  const errors = edge.resolve === undefined ? findFilterReadErrors(schema, location, edge) : []
  if (edge.where === undefined && edge.resolve === undefined && edge.reads !== undefined) {
    const received = describeValue(edge.reads)
    errors.push(
      formatIssue(location, '"reads"', 'left out of an edge without "where" or "resolve"', received),
    )
  }
  if (edge.where !== undefined && Object.keys(edge.parameters).length === 0) {
    const received = 'a function'
    errors.push(formatIssue(location, '"where"', 'left out of an edge without parameters', received))
  }
  return errors
}

/** Returns the other edge of the type that has a name or an earlier edge that has a list of this name. */
const findOtherOwner = (
  schema: Schema,
  typeName: string,
  edgeName: string,
  list: string,
): string | undefined => {
  const edges = schema.types[typeName]?.edges ?? {}
  if (list !== edgeName && Object.hasOwn(edges, list)) return `an edge of ${typeName}`
  const names = Object.keys(edges)
  const owner = names.slice(0, names.indexOf(edgeName)).find(name => {
    const edge = getOwn(edges, name)
    return edge?.lists !== undefined && list !== edgeName && listNamesOf({ name, edge }).includes(list)
  })
  return owner === undefined ? undefined : `a stored list of ${typeName}.${owner}`
}

const findListErrors = (schema: Schema, typeName: string, namedEdge: NamedEdge): string[] => {
  const { name, edge } = namedEdge
  if (edge.lists === undefined) return []
  const location = `${typeName}.${name}`
  const lists = listNamesOf(namedEdge)
  const errors = lists.flatMap(list => {
    const owner = findOtherOwner(schema, typeName, name, list)
    const expected = 'different from the other edges and lists of the type'
    const received = `${describeValue(list)}, ${owner}`
    return owner === undefined ? [] : [formatIssue(location, 'the name of each list', expected, received)]
  })
  const defaultList = defaultListOf(namedEdge)
  if (defaultList !== undefined && defaultList !== name && lists.includes(name)) {
    const expected = `${describeValue(name)}, since one of the lists has this name`
    errors.push(
      formatIssue(location, 'the list for the default values', expected, describeValue(defaultList)),
    )
  }
  return errors
}

/** Returns a text that only equal parameters have. Descriptions may differ. */
const toComparable = (parameter: Parameter): string => {
  const { kind, required, types } = parameter
  const words = finiteValuesOf(parameter)?.toSorted()
  return JSON.stringify([kind, words, parameter.default ?? null, required, types?.toSorted()])
}

const findUnequalParameter = (parameters: Parameters, others: Parameters): string | undefined =>
  [...new Set([...Object.keys(parameters), ...Object.keys(others)])].find(name => {
    const [parameter, other] = [getOwn(parameters, name), getOwn(others, name)]
    return parameter === undefined || other === undefined || toComparable(parameter) !== toComparable(other)
  })

const findMirrorListError = (edge: NamedEdge, mirror: NamedEdge, mirrorPath: string): string | undefined => {
  if (edge.edge.lists === undefined) return undefined
  if (mirror.edge.lists === undefined)
    return formatMismatch('"inverse"', 'an edge with "list"', `${mirrorPath} without it`)
  const unequalName = findUnequalParameter(edge.edge.parameters, mirror.edge.parameters)
  if (unequalName !== undefined) {
    const received = `${mirrorPath}, which differs in ${describeValue(unequalName)}`
    return formatMismatch('"inverse"', 'an edge with equal parameters', received)
  }
  return pairLists(edge, mirror) === undefined
    ? formatMismatch('"inverse"', 'an edge whose "list" distinguishes the same values', mirrorPath)
    : undefined
}

const findMirrorListErrors = (schema: Schema, location: string, namedEdge: NamedEdge): string[] =>
  namedEdge.edge.symmetric
    ? []
    : namedEdge.edge.targets.flatMap(target => {
        const mirror = findMirrorEdge(schema.types, namedEdge, target)
        // Another check reports an edge that is not the inverse.
        if (mirror?.edge.inverse !== namedEdge.name) return []
        const error = findMirrorListError(namedEdge, mirror, `${target}.${mirror.name}`)
        return error === undefined ? [] : [`${location}: ${error}`]
      })

/** Returns the errors of the parameters of an edge, of its lists and of its filter. */
export const findEdgeParameterErrors = (
  schema: Schema,
  typeName: string,
  namedEdge: NamedEdge,
): readonly string[] => {
  const { name, edge } = namedEdge
  const location = `${typeName}.${name}`
  return [
    ...Object.keys(edge.parameters).flatMap(
      parameterName => findEdgeParameterNameError(location, parameterName) ?? [],
    ),
    ...findParameterTypeErrors(schema, location, edge.parameters),
    ...findFilterErrors(schema, location, edge),
    ...findListErrors(schema, typeName, namedEdge),
    ...findMirrorListErrors(schema, location, namedEdge),
    ...findComputedEdgeErrors(location, edge),
  ]
}
