import type { JsonObject } from '../../base/json.ts'
import type { EdgeType } from '../../schema/edge.ts'
import type { Field } from '../../schema/field.ts'
import { finiteValuesOf, type Parameter, type Parameters } from '../../schema/parameter.ts'

const joinSentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join(' ')

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

/** Describes an edge, except the schema of its pages. */
export const describeEdge = ({
  description,
  order,
  parameters,
  scope,
}: EdgeType): JsonObject & { readonly description: string } => ({
  description: joinSentences(
    description,
    order === 'chronological' ? 'Oldest first.' : 'Newest first.',
    describeParameters(parameters),
    scope && `Rejected without the scope \`${scope}\`.`,
  ),
  ...(scope !== undefined && { 'x-scopes': [scope] }),
})
