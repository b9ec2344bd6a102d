import { describeValue } from '../base/describe.ts'
import { isNodeId } from '../base/ids.ts'
import { isText } from '../base/json.ts'
import { formatIssue, formatMismatch } from '../base/usage-error.ts'
import { findViewerListMismatch } from './check-edge-parameters.ts'
import type { Field } from './field.ts'
import type { FieldType } from './field-type.ts'
import type { NodeType } from './node.ts'
import { getOwn } from './node.ts'
import type { Policy, RuleReference } from './policy.ts'
import type { Schema } from './schema.ts'

type ReferenceOfKind<TKind extends RuleReference['kind']> = Extract<RuleReference, { readonly kind: TKind }>

/** Returns the types of the node that a rule is about, or `undefined` if `subjectField` is not a ref. */
const subjectTypesOf = (
  typeName: string,
  type: NodeType,
  subjectField: string | undefined,
): readonly string[] | undefined => {
  if (subjectField === undefined) return [typeName]
  const field = getOwn(type.fields, subjectField)
  return field?.kind === 'ref' ? field.targets : undefined
}

const findEdgeReferenceError = (
  schema: Schema,
  subjectTypes: readonly string[],
  { kind, edge }: ReferenceOfKind<'edgeOfViewer' | 'edgeToViewer'>,
): string | undefined => {
  const subject = { types: subjectTypes, words: subjectTypes.join(' or ') }
  const viewer = { types: schema.viewers, words: 'a viewer' }
  const [sourceSide, targetSide] = kind === 'edgeOfViewer' ? [viewer, subject] : [subject, viewer]
  // The checks of targets and viewers report unknown types.
  if ([...sourceSide.types, ...targetSide.types].some(name => getOwn(schema.types, name) === undefined))
    return undefined
  const edges = sourceSide.types.flatMap(name => getOwn(schema.types[name]?.edges ?? {}, edge) ?? [])
  if (edges.length === 0)
    return formatMismatch('"edge"', `an edge of ${sourceSide.words}`, describeValue(edge))
  if (!edges.some(({ targets }) => targets.some(target => targetSide.types.includes(target))))
    return formatMismatch(
      '"edge"',
      `an edge from ${sourceSide.words} to ${targetSide.words}`,
      describeValue(edge),
    )
  return edges.map(declaration => findViewerListMismatch({ name: edge, edge: declaration })).find(isText)
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
  type: NodeType,
  { field, value }: ReferenceOfKind<'value'>,
): string | undefined => {
  const declaredField: Field | undefined = getOwn(type.fields, field)
  const isStored =
    declaredField?.kind === 'value' && declaredField.resolve === undefined && declaredField.from === undefined
  if (!isStored && declaredField?.kind !== 'ref')
    return formatMismatch('"field"', 'a stored field of the type', describeValue(field))
  const isPossible = declaredField.kind === 'ref' ? isNodeId(value) : isStorable(declaredField.type, value)
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
  if (reference.kind === 'value') return findValueReferenceError(type, reference)
  if (reference.kind === 'visibleNode') return findVisibleNodeError(type, reference)
  const subjectTypes = subjectTypesOf(typeName, type, reference.subjectField)
  if (subjectTypes === undefined)
    return formatMismatch('"of"', 'a ref of the type', describeValue(reference.subjectField))
  return reference.kind === 'node' ? undefined : findEdgeReferenceError(schema, subjectTypes, reference)
}

const findTypePolicyErrors = (schema: Schema, typeName: string, type: NodeType): string[] => {
  const findErrors = (location: string, policy: Policy | undefined): string[] =>
    (policy ?? [])
      .flatMap(rule => rule['~refers'] ?? [])
      .flatMap(reference => {
        const error = findReferenceError(schema, typeName, type, reference)
        return error === undefined ? [] : [`${location}: ${reference.rule}: ${error}`]
      })
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
