import type { JsonObject } from '../../base/json.ts'
import type { EdgeType } from '../../schema/edge.ts'
import type { Field } from '../../schema/field.ts'
import { findOrder, NEWEST_FIRST } from '../../schema/list-order.ts'
import { finiteValuesOf, type Parameter, type Parameters } from '../../schema/parameter.ts'

/** Joins the sentences that are texts and not empty. */
export const joinSentences = (...parts: readonly unknown[]): string =>
  parts.filter(part => typeof part === 'string' && part !== '').join(' ')

const describeParameter = (name: string, parameter: Parameter): string => {
  const { kind } = parameter
  const values = kind === 'enum' ? (finiteValuesOf(parameter) ?? []).join(' | ') : kind
  return `${name} (${values}${parameter.required ? '; required' : ''})`
}

const describeParameters = (parameters: Parameters): string | undefined => {
  const descriptions = Object.entries(parameters).map(([name, parameter]) =>
    describeParameter(name, parameter),
  )
  return descriptions.length === 0 ? undefined : `Parameters: ${descriptions.join(', ')}.`
}

const describeScope = ({ kind, scope }: Field): string | undefined =>
  scope && `${kind === 'ref' ? 'Rejected' : 'Omitted'} without the scope \`${scope}\`.`

/** Describes a field, except the schema of its values. */
export const describeField = (field: Field): JsonObject => {
  const { scope, deprecated } = field
  const deprecation = deprecated && `Deprecated: ${deprecated}`
  const description = joinSentences(
    field.description,
    field.kind === 'value' ? describeParameters(field.parameters) : undefined,
    describeScope(field),
    deprecation,
  )
  return {
    ...(description !== '' && { description }),
    ...(deprecated !== undefined && { deprecated: true }),
    ...(scope !== undefined && { 'x-scopes': [scope] }),
  }
}

/** Describes the default order of an edge. `chronological` is also the name of the ascending order of other values. */
const describeOrder = ({ order, orders }: EdgeType): string => {
  const { key, isDescending } = findOrder(orders, order) ?? NEWEST_FIRST
  if (key === 'time') return isDescending ? 'Newest first.' : 'Oldest first.'
  return isDescending ? 'Largest value first.' : 'Smallest value first.'
}

/** Describes an edge, except the schema of its pages. */
export const describeEdge = (edge: EdgeType): JsonObject & { readonly description: string } => ({
  description: joinSentences(
    edge.description,
    describeOrder(edge),
    describeParameters(edge.parameters),
    edge.scope && `Rejected without the scope \`${edge.scope}\`.`,
  ),
  ...(edge.scope !== undefined && { 'x-scopes': [edge.scope] }),
})
