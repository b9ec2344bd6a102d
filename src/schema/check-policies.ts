import { describe } from '../base/describe.ts'
import { isNodeId } from '../base/ids.ts'
import type { Field } from './field.ts'
import type { FieldType } from './field-type.ts'
import type { NodeType } from './node.ts'
import { own } from './own.ts'
import type { Policy, RuleReference } from './policy.ts'
import type { Schema } from './schema.ts'

type Reference<TKind extends RuleReference['kind']> = Extract<RuleReference, { readonly kind: TKind }>

/** The types of the node that a rule asks about. */
const subjectsOf = (owner: string, type: NodeType, of: string | undefined): readonly string[] | undefined => {
  if (of === undefined) return [owner]
  const field = own(type.fields, of)
  return field?.kind === 'ref' ? field.targets : undefined
}

const faultOfEdge = (
  schema: Schema,
  subjects: readonly string[],
  { kind, edge }: Reference<'edgeOfViewer' | 'edgeToViewer'>,
): string | undefined => {
  const subject = { types: subjects, words: subjects.join(' or ') }
  const viewer = { types: schema.viewers, words: 'a viewer' }
  const [from, to] = kind === 'edgeOfViewer' ? [viewer, subject] : [subject, viewer]
  // Types that do not exist are reported where they are named.
  if ([...from.types, ...to.types].some(name => own(schema.types, name) === undefined)) return undefined
  const found = from.types.flatMap(name => own(schema.types[name]?.edges ?? {}, edge) ?? [])
  if (found.length === 0) return `there is no edge "${edge}" on ${from.words}`
  return found.some(({ targets }) => targets.some(target => to.types.includes(target)))
    ? undefined
    : `no edge "${edge}" of ${from.words} leads to ${to.words}`
}

/** Whether a value may be in the store: a type takes what it has stored again, unchanged. */
const isStorable = (type: FieldType, value: string | number | boolean): boolean => {
  try {
    return type.parse(value) === value
  } catch {
    return false
  }
}

const faultOfValue = (type: NodeType, { field, value }: Reference<'value'>): string | undefined => {
  const declared: Field | undefined = own(type.fields, field)
  const isStored = declared?.kind === 'value' && declared.resolve === undefined && declared.from === undefined
  if (!isStored && declared?.kind !== 'ref') return `there is no stored field "${field}"`
  const isPossible = declared.kind === 'ref' ? isNodeId(value) : isStorable(declared.type, value)
  return isPossible ? undefined : `"${field}" never holds ${describe(value)}`
}

const faultOfReference = (
  schema: Schema,
  owner: string,
  type: NodeType,
  reference: RuleReference,
): string | undefined => {
  if (reference.kind === 'value') return faultOfValue(type, reference)
  const subjects = subjectsOf(owner, type, reference.of)
  if (subjects === undefined) return `there is no ref "${reference.of}"`
  return reference.kind === 'node' ? undefined : faultOfEdge(schema, subjects, reference)
}

const faultsOfType = (schema: Schema, owner: string, type: NodeType): string[] => {
  const faultsOf = (place: string, policy: Policy | undefined): string[] =>
    (policy ?? [])
      .flatMap(rule => rule['~refers'] ?? [])
      .flatMap(reference => {
        const fault = faultOfReference(schema, owner, type, reference)
        return fault === undefined ? [] : [`${place}: ${reference.rule}: ${fault}`]
      })
  return [
    ...faultsOf(owner, type.policy),
    ...Object.entries(type.fields).flatMap(([name, field]) => faultsOf(`${owner}.${name}`, field.policy)),
    ...Object.entries(type.edges).flatMap(([name, edge]) => [
      ...faultsOf(`${owner}.${name}`, edge.policy),
      ...Object.entries(edge.fields)
        .filter(([, field]) => field.policy !== undefined)
        .map(([field]) => `${owner}.${name}.${field}: the fields of an edge have no policy; the edge may`),
    ]),
  ]
}

/**
 * The faults of a schema's policies: ready-made rules that speak of what is not there. Such a rule never holds, so
 * that it would keep everyone out, or under `not` let everyone in, without a word.
 */
export const faultsOfPolicies = (schema: Schema): readonly string[] =>
  Object.entries(schema.types).flatMap(([name, type]) => faultsOfType(schema, name, type))
