import { isInVersion } from '../base/version.ts'
import type { Field } from './field.ts'
import type { NodeType } from './node.ts'

/** What `metadata` tells of one field. */
export type FieldMetadata = { name: string; description: string; type: string }

/** What a type can answer, and where its edges are. */
export type Metadata = { fields: FieldMetadata[]; type: string; connections: { [edge: string]: string } }

/** The name of a field's type, as metadata gives it. */
export const typeNameOf = (field: Field): string => {
  if (field.kind === 'value') return field.type.name
  if (field.kind === 'ref') return field.targets.join('|')
  return field.kind === 'viewerEdge' ? 'bool' : 'datetime'
}

/** Describes a node to those who do not know its type. Fields that the token may not see are described all the same. */
export const metadataOf = (
  typeName: string,
  type: NodeType,
  version: string,
  urlOf: (edge: string) => string,
): Metadata => ({
  fields: [
    { name: 'id', description: 'The id of the node.', type: 'numeric string' },
    ...Object.entries(type.fields)
      .filter(([, field]) => isInVersion(field, version))
      .map(([name, field]) => ({ name, description: field.description, type: typeNameOf(field) })),
  ],
  type: typeName,
  connections: Object.fromEntries(Object.keys(type.edges).map(edge => [edge, urlOf(edge)])),
})
