import { describeValue } from '../base/describe.ts'
import { isName } from '../base/names.ts'
import { formatSuggestions, suggestWords } from '../base/suggest.ts'
import { formatIssue, usageErrorAbout } from '../base/usage-error.ts'
import { findEdgeParameterNameError } from '../schema/check-names.ts'
import { findErrorsOfPolicy } from '../schema/check-policies.ts'
import { findTargetErrors } from '../schema/check-targets.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import type { Field } from '../schema/field.ts'
import { getOwn, type NodeType } from '../schema/node.ts'
import {
  type ActionParameter,
  isParameter,
  type Parameter,
  type ParameterKind,
  type Parameters,
} from '../schema/parameter.ts'
import type { Schema } from '../schema/schema.ts'
import type { Action } from './action.ts'

const EDGE_OPERATIONS: readonly string[] = ['add', 'remove']

const findNameErrors = (location: string, typeName: string, type: NodeType, name: string): string[] => {
  const [base = '', operation, ...rest] = name.split('.')
  const edges = Object.keys(type.edges)
  const isOfEdge = operation !== undefined || typeName === ROOT_TYPE
  const isValid = isOfEdge
    ? edges.includes(base) && rest.length === 0 && EDGE_OPERATIONS.includes(operation ?? '')
    : isName(base) && !edges.includes(base) && !Object.hasOwn(type.fields, base)
  if (isValid) return []
  const expected = isOfEdge
    ? 'an edge of the type with ".add" or ".remove"'
    : '"update", "delete", or a word [a-z][a-z0-9_]* that is no field or edge of the type'
  const received = `${describeValue(name)}${formatSuggestions(suggestWords(base, edges))}`
  return [formatIssue(location, 'the name', expected, received)]
}

/** The limits that parameters of a kind may have. Sizes are integers of at least 1. */
const LIMITS: { readonly [kind in ParameterKind]?: readonly (keyof ActionParameter)[] } = {
  int: ['min', 'max'],
  float: ['min', 'max'],
  string: ['maxLength'],
  list: ['maxItems'],
}

const findOptionErrors = (
  location: string,
  { kind, default: value, forActions = {} }: Parameter,
): string[] => {
  const { nullable, items, members, ...limits } = forActions
  const isScalar = items === undefined && members === undefined && kind !== 'node'
  return Object.entries({ ...limits, ...(!isScalar && { default: value }) }).flatMap(([name, limit]) => {
    const isAllowed = LIMITS[kind]?.some(allowed => allowed === name)
    const isValid =
      name.startsWith('max') && name !== 'max'
        ? Number.isSafeInteger(limit) && Number(limit) > 0
        : Number.isFinite(limit)
    if (limit === undefined || (isAllowed && isValid)) return []
    const expected = isAllowed ? 'a number, or a size of at least 1' : `left out of a ${kind}`
    return [formatIssue(location, `"${name}"`, expected, describeValue(limit))]
  })
}

/** Iterates over a parameter and those inside it, with their paths. */
function* iterateParameters(
  path: string,
  parameter: Parameter,
): Generator<readonly [path: string, Parameter]> {
  yield [path, parameter]
  if (!isParameter(parameter)) return
  const { items, members = {} } = parameter.forActions ?? {}
  if (items !== undefined) yield* iterateParameters(`${path}[]`, items)
  for (const [name, member] of Object.entries(members)) yield* iterateParameters(`${path}.${name}`, member)
}

const findParameterErrors = (schema: Schema, location: string, parameter: Parameter): string[] => {
  const subject = 'a parameter of an action'
  if (!isParameter(parameter))
    return [formatIssue(location, subject, 'the result of a function of parameter', describeValue(parameter))]
  if (parameter.kind === 'id')
    return [formatIssue(location, subject, 'parameter.node() for a node', 'parameter.id()')]
  const { types = [] } = parameter
  return [...findTargetErrors(schema, location, 'each type', types), ...findOptionErrors(location, parameter)]
}

const findParameterNameError = (location: string, name: string): string | undefined =>
  name === 'idempotency_key'
    ? formatIssue(location, 'the name of a parameter', 'a word that is not reserved', describeValue(name))
    : findEdgeParameterNameError(location, name)

const findParameterListErrors = (schema: Schema, location: string, parameters: Parameters): string[] =>
  Object.entries(parameters).flatMap(([name, parameter]) => {
    const nameError = findParameterNameError(location, name)
    const errors = [...iterateParameters(`${location}.${name}`, parameter)].flatMap(([path, nested]) =>
      findParameterErrors(schema, path, nested),
    )
    return nameError === undefined ? errors : [nameError, ...errors]
  })

/** Returns the errors of a field of `result`: a stored value, or a ref whose types have ids of one form. */
const findResultErrors = (schema: Schema, location: string, field: Field): string[] => {
  const subject = 'a field of the result'
  if (field.kind === 'value' && field.resolve === undefined && field.from === undefined) return []
  if (field.kind !== 'ref')
    return [formatIssue(location, subject, 'a value that is not computed, or a ref', `a ${field.kind}`)]
  const errors = findTargetErrors(schema, location, 'each target', field.targets)
  const forms = new Set(field.targets.map(target => getOwn(schema.types, target)?.appScoped))
  if (errors.length > 0 || forms.size < 2) return errors
  const expected = 'a ref to types that all have app-scoped ids, or none'
  return [formatIssue(location, subject, expected, field.targets.join(', '))]
}

const findActionErrors = (schema: Schema, action: Action): readonly string[] => {
  const { type: typeName, name, policy, parameters, returns = [], result = {} } = action
  const location = `${typeName} ${name}`
  if (action.schema !== schema)
    return [formatIssue(location, 'the schema', 'the schema of the graph', 'another schema')]
  const type = getOwn(schema.types, typeName)
  if (type === undefined) {
    const known = Object.keys(schema.types)
    const received = `${describeValue(typeName)}${formatSuggestions(suggestWords(typeName, known))}`
    return [formatIssue(location, 'the type', 'a type of the schema', received)]
  }
  return [
    ...findNameErrors(location, typeName, type, name),
    ...findErrorsOfPolicy(schema, typeName, type, location, policy),
    ...findParameterListErrors(schema, location, parameters),
    ...findTargetErrors(schema, location, '"returns"', returns),
    ...Object.entries(result).flatMap(([member, field]) =>
      findResultErrors(schema, `${location}.${member}`, field),
    ),
  ]
}

const findDuplicates = (actions: readonly Action[]): string[] => {
  const keys = actions.map(({ type, name }) => `${type} ${name}`)
  return keys
    .filter((key, index) => keys.indexOf(key) < index)
    .map(key => formatIssue(key, 'the action', 'declared once', 'two actions with this name'))
}

/** @throws TypeError with all errors of the actions. */
export const assertActions = (schema: Schema, actions: readonly Action[]): void => {
  const errors = [...actions.flatMap(action => findActionErrors(schema, action)), ...findDuplicates(actions)]
  if (errors.length === 0) return
  const countText = errors.length === 1 ? 'one error' : `${errors.length} errors`
  const listText = errors.map(error => `- ${error}`).join('\n')
  throw usageErrorAbout('createGraph', 'the actions', 'valid', `${countText}:\n${listText}`)
}
