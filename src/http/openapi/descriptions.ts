import type { JsonObject } from '../../base/json.ts'
import type { EdgeType } from '../../schema/edge.ts'
import type { Field } from '../../schema/field.ts'

const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join(' ')

const parametersOf = (field: Field): string | undefined => {
  const parameters = field.kind === 'value' ? Object.entries(field.parameters) : []
  if (parameters.length === 0) return undefined
  return `Parameters: ${parameters.map(([name, type]) => `${name} (${type.name})`).join(', ')}.`
}

const scopeOf = ({ kind, scope }: Field): string | undefined =>
  scope && `${kind === 'ref' ? 'Refused' : 'Left out'} without the scope \`${scope}\`.`

/** What a document says of a field beside what its values look like. */
export const fieldNotes = (field: Field): JsonObject => {
  const { scope, deprecated } = field
  const hint = deprecated && `Deprecated: ${deprecated}`
  const description = sentences(field.description, parametersOf(field), scopeOf(field), hint)
  return {
    ...(description !== '' && { description }),
    ...(deprecated !== undefined && { deprecated: true }),
    ...(scope !== undefined && { 'x-scopes': [scope] }),
  }
}

/** What a document says of an edge beside what its pages look like. */
export const edgeNotes = ({
  description,
  order,
  scope,
}: EdgeType): JsonObject & { readonly description: string } => ({
  description: sentences(
    description,
    order === 'chronological' ? 'Oldest first.' : 'Newest first.',
    scope && `Refused without the scope \`${scope}\`.`,
  ),
  ...(scope !== undefined && { 'x-scopes': [scope] }),
})
