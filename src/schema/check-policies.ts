import { describeValue } from '../base/describe.ts'
import { isIdOfKind } from '../base/ids.ts'
import { isText } from '../base/json.ts'
import { describeUnknownName } from '../base/suggest.ts'
import { formatIssue, formatMismatch } from '../base/usage-error.ts'
import { constantListOf, findConstantListMismatch } from './constant-lists.ts'
import { findEdgeOfList, type NamedEdge } from './edge-lists.ts'
import type { Field } from './field.ts'
import type { FieldType } from './field-type.ts'
import type { NodeType } from './node.ts'
import { getOwn } from './node.ts'
import type { EdgeReference, Policy, RuleReference } from './policy.ts'
import { edgesOfReference, subjectTypesOf } from './rule-edges.ts'
import type { Schema } from './schema.ts'

type ReferenceOfKind<TKind extends RuleReference['kind']> = Extract<RuleReference, { readonly kind: TKind }>

const findEdgeReferenceError = (
  schema: Schema,
  subjectTypes: readonly string[],
  reference: EdgeReference,
): string | undefined => {
  const { kind, edge } = reference
  const subject = { types: subjectTypes, words: subjectTypes.join(' or ') }
  const viewer = { types: schema.viewers, words: 'a viewer' }
  const [sourceSide, targetSide] = kind === 'edgeOfViewer' ? [viewer, subject] : [subject, viewer]
  // The checks of targets and viewers report unknown types.
  if ([...sourceSide.types, ...targetSide.types].some(name => getOwn(schema.types, name) === undefined))
    return undefined
  const edges = edgesOfReference(schema, sourceSide.types, reference)
  if (edges.length === 0)
    return formatMismatch('"edge"', `an edge of ${sourceSide.words}`, describeValue(edge))
  if (!edges.some(({ edge: { targets } }) => targets.some(target => targetSide.types.includes(target))))
    return formatMismatch(
      '"edge"',
      `an edge from ${sourceSide.words} to ${targetSide.words}`,
      describeValue(edge),
    )
  return (
    edges.map(named => findConstantListMismatch(named, reference.parameters)).find(isText) ??
    edges.map(named => findDataTestMismatch(named, reference)).find(isText) ??
    findOtherListMismatch(schema, sourceSide.types, edges, reference)
  )
}

/** Returns the mismatch of the test of an edge's data, or `undefined` if the edge can have its values. */
const findDataTestMismatch = ({ name, edge }: NamedEdge, { where }: EdgeReference): string | undefined => {
  for (const [fieldName, expected] of Object.entries(where ?? {})) {
    const field = getOwn(edge.fields, fieldName)
    const subject = `"where.${fieldName}"`
    if (field?.kind !== 'value') {
      const storedNames = Object.keys(edge.fields).filter(key => edge.fields[key]?.kind === 'value')
      const received = describeUnknownName(fieldName, storedNames)
      return formatMismatch(subject, `a stored field of the edge ${name}`, received)
    }
    const values = typeof expected === 'object' ? expected : [expected]
    const impossible = values.find(value => !isStorable(field.type, value))
    if (impossible !== undefined)
      return formatMismatch(subject, `a value that "${fieldName}" can have`, describeValue(impossible))
  }
  return undefined
}

/**
 * Returns the mismatch of a rule whose edge has another list on another type. The rule checks one list, whatever the
 * type of the source is.
 */
const findOtherListMismatch = (
  schema: Schema,
  sourceTypes: readonly string[],
  edges: readonly NamedEdge[],
  { edge, parameters }: EdgeReference,
): string | undefined => {
  const lists = [...new Set(edges.map(named => constantListOf(named, parameters)))]
  const [list = edge] = lists
  if (lists.length > 1)
    return formatMismatch('"edge"', 'an edge with one list on all types', `${edge} with ${lists.join(', ')}`)
  for (const typeName of sourceTypes) {
    const type = getOwn(schema.types, typeName)
    const owner =
      type === undefined || Object.hasOwn(type.edges, edge) ? undefined : findEdgeOfList(type, list)
    if (owner !== undefined)
      return formatMismatch(
        '"edge"',
        'an edge whose list belongs to no other edge',
        `${list}, which ${typeName}.${owner.name} has`,
      )
  }
  return undefined
}

/** Whether a value is in the stored form of the type: `parse` returns such a value unchanged. */
const isStorable = (type: FieldType, value: string | number | boolean): boolean => {
  try {
    return type.parse(value) === value
  } catch {
    return false
  }
}

const findValueReferenceError = (
  { ids }: Schema,
  type: NodeType,
  { field, value }: ReferenceOfKind<'value'>,
): string | undefined => {
  const declaredField: Field | undefined = getOwn(type.fields, field)
  const isStored =
    declaredField?.kind === 'value' && declaredField.resolve === undefined && declaredField.from === undefined
  if (!isStored && declaredField?.kind !== 'ref')
    return formatMismatch('"field"', 'a stored field of the type', describeValue(field))
  const isPossible =
    declaredField.kind === 'ref' ? isIdOfKind(ids, value) : isStorable(declaredField.type, value)
  if (isPossible) return undefined
  return formatMismatch('"value"', `a value that "${field}" can have`, describeValue(value))
}

const findVisibleNodeError = (
  type: NodeType,
  { rule, ref, isNegated }: ReferenceOfKind<'visibleNode'>,
): string | undefined => {
  if (getOwn(type.fields, ref)?.kind !== 'ref')
    return formatMismatch('"ref"', 'a ref of the type', describeValue(ref))
  return isNegated ? formatMismatch('the rule inside not', 'a rule without canSee', rule) : undefined
}

const findReferenceError = (
  schema: Schema,
  typeName: string,
  type: NodeType,
  reference: RuleReference,
): string | undefined => {
  if (reference.kind === 'value') return findValueReferenceError(schema, type, reference)
  if (reference.kind === 'visibleNode') return findVisibleNodeError(type, reference)
  const subjectTypes = subjectTypesOf(typeName, type, reference.subjectField)
  if (subjectTypes === undefined)
    return formatMismatch('"of"', 'a ref of the type', describeValue(reference.subjectField))
  return reference.kind === 'node' ? undefined : findEdgeReferenceError(schema, subjectTypes, reference)
}

/** Returns the errors of one policy that is evaluated for the records of a type. */
export const findErrorsOfPolicy = (
  schema: Schema,
  typeName: string,
  type: NodeType,
  location: string,
  policy: Policy | undefined,
): string[] =>
  (policy ?? [])
    .flatMap(rule => rule['~refers'] ?? [])
    .flatMap(reference => {
      const error = findReferenceError(schema, typeName, type, reference)
      return error === undefined ? [] : [`${location}: ${reference.rule}: ${error}`]
    })

const findTypePolicyErrors = (schema: Schema, typeName: string, type: NodeType): string[] => {
  const findErrors = (location: string, policy: Policy | undefined): string[] =>
    findErrorsOfPolicy(schema, typeName, type, location, policy)
  return [
    ...findErrors(typeName, type.policy),
    ...Object.entries(type.fields).flatMap(([name, field]) =>
      findErrors(`${typeName}.${name}`, field.policy),
    ),
    ...Object.entries(type.edges).flatMap(([name, edge]) => [
      ...findErrors(`${typeName}.${name}`, edge.policy),
      ...Object.entries(edge.fields)
        .filter(([, field]) => field.policy !== undefined)
        .map(([fieldName]) =>
          formatIssue(
            `${typeName}.${name}.${fieldName}`,
            '"policy"',
            'set on the edge, not on its field',
            'a policy',
          ),
        ),
    ]),
  ]
}

/**
 * Returns the errors of a schema's policies: built-in rules that refer to fields, edges or values that do not
 * exist. Such a rule never allows. It would silently hide everything or, inside `not`, show everything.
 */
export const findPolicyErrors = (schema: Schema): readonly string[] =>
  Object.entries(schema.types).flatMap(([name, type]) => findTypePolicyErrors(schema, name, type))
