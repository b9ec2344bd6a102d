import { describeValue } from '../base/describe.ts'
import { type GraphError, invalidParameterError } from '../base/errors.ts'
import type { FieldItem, Modifier } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field, RefField, ValueField } from '../schema/field.ts'
import { createFieldsMetadata, metadataType } from '../schema/metadata.ts'
import type { ParameterValues } from '../schema/parameter.ts'
import { computeValueCost } from './cost.ts'
import { type GivenValue, parseParameters } from './parameter-values.ts'
import type { Declaration, FieldDeclaration, MetadataDeclaration } from './parent-types.ts'
import type {
  EdgePlan,
  MetadataStep,
  PlanStep,
  ResultMember,
  Selection,
  TimeStep,
  ValueStep,
} from './plan.ts'
import { createSelectedType, type NameReporter, noFieldsInsideError } from './selected-type.ts'
import type { TypePlanBuilder } from './type-plan.ts'
import { createViewerEdgeTarget } from './viewer-edge-target.ts'

/**
 * Creates a member of a result. Its name contains only letters, digits and underscores, so it needs no
 * escaping.
 */
export const createResultMember = (key: string): ResultMember => ({
  key,
  firstPrefix: `{"${key}":`,
  laterPrefix: `,"${key}":`,
})

/**
 * Returns the selections of the nodes that the refs of an item lead to. Also receives the names inside
 * values.
 */
export type RefSelections = NameReporter & { getTargetSelection(ref: RefField): Selection }

/** The selections of the nodes that an item leads to, and the plans of its edges. */
export type Subselections = RefSelections & {
  readonly version: string
  getEdgePlan(edge: EdgeType): EdgePlan
}

const unknownModifierError = (
  { name }: Modifier,
  item: FieldItem,
  knownNames: readonly string[] = [],
): GraphError =>
  invalidParameterError(
    name,
    `a modifier of ${item.name}: ${['as', ...knownNames].join(', ')}`,
    describeValue(name),
  )

const assertOnlyAlias = (item: FieldItem): void => {
  const unsupportedModifier = item.modifiers.find(({ name }) => name !== 'as')
  if (unsupportedModifier !== undefined) throw unknownModifierError(unsupportedModifier, item)
}

const readParameters = (item: FieldItem, field: ValueField): ParameterValues => {
  const given = new Map<string, GivenValue>()
  for (const modifier of item.modifiers) {
    if (modifier.name === 'as') continue
    if (!Object.hasOwn(field.parameters, modifier.name))
      throw unknownModifierError(modifier, item, Object.keys(field.parameters))
    given.set(modifier.name, { kind: 'argument', text: modifier.argument })
  }
  return parseParameters(field.parameters, given)
}

const createTimeStep = (name: string, resultName: string, { scope }: Field): TimeStep => {
  const { key, firstPrefix, laterPrefix } = createResultMember(resultName)
  return { kind: 'time', key, firstPrefix, laterPrefix, field: name, scope, policyIndex: undefined }
}

const createStoredStep = (
  name: string,
  resultName: string,
  { from = name, required, present, scope }: ValueField,
  isEdgeField: boolean,
  { type, parameters, policyIndex, cost }: Pick<ValueStep, 'type' | 'parameters' | 'policyIndex' | 'cost'>,
): ValueStep => {
  const { key, firstPrefix, laterPrefix } = createResultMember(resultName)
  return {
    kind: 'value',
    key,
    firstPrefix,
    laterPrefix,
    isEdgeField,
    required,
    present,
    field: name,
    name: from,
    type,
    parameters,
    scope,
    policyIndex,
    cost,
  }
}

const NO_PARAMETERS = Object.freeze({})

/**
 * Creates the step of a field without modifiers and fields, which all plans share. Returns `undefined` if the
 * step depends on the rest of its plan.
 */
export const createSharedStep = (
  name: string,
  field: Field,
  isEdgeField: boolean,
): FieldDeclaration['step'] => {
  if (field.kind === 'edgeTime') return createTimeStep(name, name, field)
  if (field.kind !== 'value' || field.resolve !== undefined || field.policy !== undefined) return undefined
  return createStoredStep(name, name, field, isEdgeField, {
    type: field.type,
    parameters: NO_PARAMETERS,
    policyIndex: undefined,
    cost: computeValueCost(field, undefined),
  })
}

const createValueStep = (
  item: FieldItem,
  { field, isEdgeField }: { readonly field: ValueField; readonly isEdgeField: boolean },
  builder: TypePlanBuilder,
  reporter: NameReporter,
): PlanStep => {
  const { name } = item
  const { scope, resolve, reads, policy } = field
  const type = item.fields === undefined ? field.type : createSelectedType(field.type, item, reporter)
  const parameters = readParameters(item, field)
  const policyIndex = builder.addPolicy(policy)
  const cost = computeValueCost(field, item.fields)
  if (resolve === undefined)
    return createStoredStep(name, item.key, field, isEdgeField, { type, parameters, policyIndex, cost })
  const { key, firstPrefix, laterPrefix } = createResultMember(item.key)
  const cellIndex = builder.nextCellIndex
  return {
    kind: 'computed',
    key,
    firstPrefix,
    laterPrefix,
    cellIndex,
    name,
    type,
    resolve,
    reads,
    declaredParameters: field.parameters,
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
 * value that has no fields.
 */
export const createFieldStep = (
  item: FieldItem,
  { field, isEdgeField, step }: FieldDeclaration,
  builder: TypePlanBuilder,
  selections: RefSelections,
): PlanStep => {
  const { name } = item
  const isPlain = item.modifiers.length === 0 && item.fields === undefined
  if (isPlain && step !== undefined) return step
  if (field.kind === 'value') return createValueStep(item, { field, isEdgeField }, builder, selections)
  if (item.fields !== undefined && field.kind !== 'ref') throw noFieldsInsideError(item)
  assertOnlyAlias(item)
  if (field.kind === 'edgeTime') return createTimeStep(name, item.key, field)
  const { key, firstPrefix, laterPrefix } = createResultMember(item.key)
  const { scope, policy } = field
  const cellIndex = builder.nextCellIndex
  const policyIndex = builder.addPolicy(policy)
  if (field.kind === 'viewerEdge') {
    const target = { ...createViewerEdgeTarget(field, builder), cellIndex, scope }
    return { kind: 'viewerEdge', key, firstPrefix, laterPrefix, name, policyIndex, ...target }
  }
  const selection = selections.getTargetSelection(field)
  const { required, present } = field
  const ref = { cellIndex, name, required, present, selection, policyIndex }
  return { kind: 'ref', key, firstPrefix, laterPrefix, ...ref }
}

const METADATA_MEMBERS = ['fields', 'type', 'connections'] as const

/** Creates the step for the metadata of a node, or for the part that an item selects. */
const createMetadataStep = (
  item: FieldItem,
  { ids, nodeType }: MetadataDeclaration,
  typeName: string,
  subselections: Subselections,
): MetadataStep => {
  assertOnlyAlias(item)
  const { key, firstPrefix, laterPrefix } = createResultMember(item.key)
  const selected = new Set(item.fields?.map(({ name }) => name) ?? METADATA_MEMBERS)
  return {
    kind: 'metadata',
    key,
    firstPrefix,
    laterPrefix,
    type: item.fields === undefined ? metadataType : createSelectedType(metadataType, item, subselections),
    nodeType,
    typeName,
    fields: selected.has('fields') ? createFieldsMetadata(ids, nodeType, subselections.version) : undefined,
    hasConnections: selected.has('connections'),
    scope: undefined,
    policyIndex: undefined,
    cost: computeValueCost({ type: metadataType, weight: undefined, resolve: undefined }, item.fields),
  }
}

/**
 * Creates the step of an item.
 *
 * @throws GraphError `invalid_parameter` for modifiers and fields that the declaration does not have.
 */
export const createStep = (
  item: FieldItem,
  declaration: Declaration,
  builder: TypePlanBuilder,
  subselections: Subselections,
): PlanStep => {
  if (declaration.kind === 'field') return createFieldStep(item, declaration, builder, subselections)
  if (declaration.kind === 'metadata')
    return createMetadataStep(item, declaration, builder.parentType.type, subselections)
  if (declaration.kind === 'edge') {
    const { key, firstPrefix, laterPrefix } = createResultMember(item.key)
    const edge = subselections.getEdgePlan(declaration.edge)
    const policyIndex = builder.addPolicy(declaration.edge.policy)
    const cellIndex = builder.nextCellIndex
    return { kind: 'edge', key, firstPrefix, laterPrefix, cellIndex, edge, policyIndex }
  }
  const modifier = item.modifiers[0]?.name
  if (modifier !== undefined)
    throw invalidParameterError(modifier, 'left out, since id has no modifiers', describeValue(modifier))
  if (item.fields !== undefined) throw noFieldsInsideError(item)
  return declaration.step
}
