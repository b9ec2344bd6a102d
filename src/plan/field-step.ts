import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import type { FieldItem, Modifier } from '../fields/expression.ts'
import type { RefField, ValueField } from '../schema/field.ts'
import { readArgument } from './arguments.ts'
import type { FieldDeclaration } from './parent-types.ts'
import type { PlanStep, Selection } from './plan.ts'
import { createResultMember } from './result-member.ts'
import { createSelectedType, type NameReporter, noFieldsInsideError } from './selected-type.ts'
import type { TypePlanBuilder } from './type-plan.ts'
import { computeValueCost } from './value-cost.ts'

/** @throws GraphError `invalid_parameter` for a modifier that a field does not have, always. */
export const rejectModifier = ({ name }: Modifier, item: FieldItem, knownNames: readonly string[]): never => {
  throw invalidParameterError(
    name,
    `a modifier of ${item.name}: ${['as', ...knownNames].join(', ')}`,
    describeValue(name),
  )
}

const readParameters = (item: FieldItem, field: ValueField): { readonly [name: string]: JsonValue } => {
  const parameters: { [name: string]: JsonValue } = {}
  for (const modifier of item.modifiers) {
    if (modifier.name === 'as') continue
    const isKnown = Object.hasOwn(field.parameters, modifier.name)
    const type = isKnown ? field.parameters[modifier.name] : undefined
    if (type === undefined) return rejectModifier(modifier, item, Object.keys(field.parameters))
    parameters[modifier.name] = readArgument(modifier, type)
  }
  return parameters
}

/**
 * The selections below an item: those of the nodes that a ref leads to. It also reports the names inside
 * values.
 */
export type Subselections = NameReporter & { getTargetSelection(ref: RefField): Selection }

const createValueStep = (
  item: FieldItem,
  { field, isEdgeField }: { readonly field: ValueField; readonly isEdgeField: boolean },
  builder: TypePlanBuilder,
  subselections: Subselections,
): PlanStep => {
  const { name } = item
  const { key, firstPrefix, laterPrefix } = createResultMember(item.key)
  const { scope, resolve, policy } = field
  const type = item.fields === undefined ? field.type : createSelectedType(field.type, item, subselections)
  const parameters = readParameters(item, field)
  const cellIndex = builder.nextCellIndex
  const policyIndex = builder.addPolicy(policy)
  const cost = computeValueCost(field, item.fields)
  if (resolve !== undefined)
    return {
      kind: 'computed',
      key,
      firstPrefix,
      laterPrefix,
      cellIndex,
      name,
      type,
      resolve,
      parameters,
      scope,
      policyIndex,
      cost,
    }
  const { from = name } = field
  return {
    kind: 'value',
    key,
    firstPrefix,
    laterPrefix,
    isEdgeField,
    field: name,
    name: from,
    type,
    parameters,
    scope,
    policyIndex,
    cost,
  }
}

/**
 * Creates the step of a field of a record, or of the edge that leads to it.
 *
 * @throws GraphError `invalid_parameter` for a modifier that the field does not have, or for fields inside a
 * value without any.
 */
export const createFieldStep = (
  item: FieldItem,
  { field, isEdgeField, step }: FieldDeclaration,
  builder: TypePlanBuilder,
  subselections: Subselections,
): PlanStep => {
  const { name, modifiers } = item
  const isPlain = modifiers.length === 0 && item.fields === undefined
  if (isPlain && step !== undefined) return step
  if (field.kind === 'value') return createValueStep(item, { field, isEdgeField }, builder, subselections)
  if (item.fields !== undefined && field.kind !== 'ref') throw noFieldsInsideError(item)
  const unsupportedModifier = modifiers.find(modifier => modifier.name !== 'as')
  if (unsupportedModifier !== undefined) return rejectModifier(unsupportedModifier, item, [])
  const { key, firstPrefix, laterPrefix } = createResultMember(item.key)
  const { scope, policy } = field
  if (field.kind === 'edgeTime')
    return {
      kind: 'time',
      key,
      firstPrefix,
      laterPrefix,
      field: item.name,
      scope,
      policyIndex: undefined,
    }
  const cellIndex = builder.nextCellIndex
  const policyIndex = builder.addPolicy(policy)
  if (field.kind === 'viewerEdge')
    return {
      kind: 'viewerEdge',
      key,
      firstPrefix,
      laterPrefix,
      cellIndex,
      edge: field.edge,
      scope,
      policyIndex,
    }
  return {
    kind: 'ref',
    key,
    firstPrefix,
    laterPrefix,
    cellIndex,
    name,
    selection: subselections.getTargetSelection(field),
    policyIndex,
  }
}
