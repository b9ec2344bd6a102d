import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { isName } from '../base/names.ts'
import { describeUnknownName } from '../base/suggest.ts'
import { assertNoErrors, formatIssue } from '../base/usage-error.ts'
import { findEdgeParameterNameError, findNameError } from '../schema/check-names.ts'
import { findErrorsOfPolicy } from '../schema/check-policies.ts'
import { findTargetErrors } from '../schema/check-targets.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import { type Field, isField } from '../schema/field.ts'
import { getOwn, type NodeType } from '../schema/node.ts'
import { isParameter, type Parameter, type Parameters } from '../schema/parameter.ts'
import type { Schema } from '../schema/schema.ts'
import type { Action } from './action.ts'
import { findLimitMismatch } from './parameter-limits.ts'

const findNameErrors = (location: string, typeName: string, type: NodeType, name: string): string[] => {
  const edgeActions = Object.keys(type.edges).flatMap(edge => [`${edge}.add`, `${edge}.remove`])
  const mayBeOwn = typeName !== ROOT_TYPE && !name.includes('.')
  const isEdge = Object.hasOwn(type.edges, name)
  const isTaken = isEdge || Object.hasOwn(type.fields, name)
  if (edgeActions.includes(name) || (mayBeOwn && isName(name) && !isTaken)) return []
  const expected = isEdge
    ? `"${name}.add" or "${name}.remove"`
    : mayBeOwn
      ? '"update", "delete", or a word [a-z][a-z0-9_]* that is no field or edge of the type'
      : 'an edge of the type with ".add" or ".remove"'
  return [formatIssue(location, 'the name', expected, describeUnknownName(name, edgeActions))]
}

/** Returns the errors of the limits of a parameter, and then of a default outside of them. */
const findLimitErrors = (location: string, parameter: Parameter): string[] => {
  const { kind, default: value, forActions = {} } = parameter
  const { nullable, items, members, ...limits } = forActions
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = limits
  const isNumber = kind === 'int' || kind === 'float'
  const errors = Object.entries(limits).flatMap(([name, limit]) => {
    const isSize = Number.isSafeInteger(limit) && Number(limit) > 0
    if (limit === undefined || (isNumber ? Number.isFinite(limit) : isSize)) return []
    const expected = isNumber ? 'a number' : 'an integer of at least 1'
    return [formatIssue(location, `"${name}"`, expected, describeValue(limit))]
  })
  if (errors.length > 0) return errors
  if (min > max) return [formatIssue(location, '"max"', `at least ${min}, which is "min"`, `${max}`)]
  const expected = findLimitMismatch(value, parameter)
  if (expected === undefined) return []
  return [formatIssue(location, '"default"', `left out, or ${expected}`, describeValue(value))]
}

/** Returns the errors of a parameter, its items and its members. */
const findParameterErrors = (schema: Schema, location: string, parameter: unknown): string[] => {
  const subject = 'a parameter of an action'
  if (!isParameter(parameter))
    return [formatIssue(location, subject, 'the result of a function of parameter', describeValue(parameter))]
  const { kind, types = [], forActions: { items, members } = {} } = parameter
  if (kind === 'id') return [formatIssue(location, subject, 'parameter.node() for a node', 'parameter.id()')]
  if (kind === 'object' && !isNonArrayObject(members))
    return [formatIssue(location, subject, 'an object with members', describeValue(members))]
  return [
    ...findTargetErrors(schema, location, 'each type', types),
    ...findLimitErrors(location, parameter),
    ...(kind === 'list' ? findParameterErrors(schema, `${location}[]`, items) : []),
    ...findErrorsByName(schema, location, members, name => findNameError(location, 'member', name)),
  ]
}

/** Returns the errors of parameters or members, and of their names. */
const findErrorsByName = (
  schema: Schema,
  location: string,
  parameters: Parameters = {},
  findErrorOfName: (name: string) => string | undefined,
): string[] =>
  Object.entries(parameters).flatMap(([name, parameter]) =>
    [findErrorOfName(name) ?? [], findParameterErrors(schema, `${location}.${name}`, parameter)].flat(),
  )

const findParameterNameError = (location: string, name: string): string | undefined =>
  name === 'idempotency_key'
    ? formatIssue(location, 'the name of a parameter', 'a word that is not reserved', describeValue(name))
    : findEdgeParameterNameError(location, name)

/** Returns the errors of a field of `result`: a stored value, or a ref whose types have ids of one form. */
const findResultErrors = (schema: Schema, location: string, field: Field): string[] => {
  const subject = 'a field of the result'
  const expectedKind = 'a value that is not computed, or a ref'
  if (!isField(field)) return [formatIssue(location, subject, expectedKind, describeValue(field))]
  if (field.kind === 'value' && field.resolve === undefined && field.from === undefined) return []
  if (field.kind !== 'ref') return [formatIssue(location, subject, expectedKind, `a ${field.kind}`)]
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
  if (type === undefined) return findTargetErrors(schema, location, 'the type', [typeName])
  return [
    ...findNameErrors(location, typeName, type, name),
    ...findErrorsOfPolicy(schema, typeName, type, location, policy),
    ...findErrorsByName(schema, location, parameters, parameterName =>
      findParameterNameError(location, parameterName),
    ),
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
export const assertActions = (schema: Schema, actions: readonly Action[]): void =>
  assertNoErrors('createGraph', 'the actions', [
    ...actions.flatMap(action => findActionErrors(schema, action)),
    ...findDuplicates(actions),
  ])
