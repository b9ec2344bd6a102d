import type { JsonObject } from '../../base/json.ts'
import type { EdgeType } from '../../schema/edge.ts'
import type { Field } from '../../schema/field.ts'

const joinSentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join(' ')

const describeParameters = (field: Field): string | undefined => {
  const parameters = field.kind === 'value' ? Object.entries(field.parameters) : []
  if (parameters.length === 0) return undefined
  return `Parameters: ${parameters.map(([name, { kind }]) => `${name} (${kind})`).join(', ')}.`
}

const describeScope = ({ kind, scope }: Field): string | undefined =>
  scope && `${kind === 'ref' ? 'Rejected' : 'Omitted'} without the scope \`${scope}\`.`

/** Describes a field, except the schema of its values. */
export const describeField = (field: Field): JsonObject => {
  const { scope, deprecated } = field
  const deprecation = deprecated && `Deprecated: ${deprecated}`
  const description = joinSentences(
    field.description,
    describeParameters(field),
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
  scope,
}: EdgeType): JsonObject & { readonly description: string } => ({
  description: joinSentences(
    description,
    order === 'chronological' ? 'Oldest first.' : 'Newest first.',
    scope && `Rejected without the scope \`${scope}\`.`,
  ),
  ...(scope !== undefined && { 'x-scopes': [scope] }),
})
