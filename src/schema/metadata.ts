import { isInVersion } from '../base/version.ts'
import type { Field } from './field.ts'
import type { FieldType, MemberType } from './field-type.ts'
import type { NodeType } from './node.ts'
import { stringType, urlType } from './scalar-types.ts'
import { listType, mapType, objectType } from './structured-types.ts'

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

/** The fields that nodes of a type have in a version. Those that a token may not see are described all the same. */
export const fieldsMetadata = (type: NodeType, version: string): FieldMetadata[] => [
  { name: 'id', description: 'The id of the node.', type: 'numeric string' },
  ...Object.entries(type.fields)
    .filter(([, field]) => isInVersion(field, version))
    .map(([name, field]) => ({ name, description: field.description, type: typeNameOf(field) })),
]

/** Where the edges of a node are. */
export const connectionsMetadata = (
  type: NodeType,
  urlOf: (edge: string) => string,
): Metadata['connections'] => Object.fromEntries(Object.keys(type.edges).map(edge => [edge, urlOf(edge)]))

/** Describes a node to those who do not know its type. */
export const metadataOf = (
  typeName: string,
  type: NodeType,
  version: string,
  urlOf: (edge: string) => string,
): Metadata => ({
  fields: fieldsMetadata(type, version),
  type: typeName,
  connections: connectionsMetadata(type, urlOf),
})

const text: MemberType = { type: stringType, required: true }

const described: MemberType = {
  type: listType(
    objectType(
      new Map([
        ['name', text],
        ['description', text],
        ['type', text],
      ]),
    ),
  ),
  required: true,
}

const links: MemberType = { type: mapType(urlType), required: true }

/** What an expression selects inside of: the description of a node, as a value. */
export const metadataType: FieldType = {
  ...objectType(
    new Map([
      ['fields', described],
      ['type', text],
      ['connections', links],
    ]),
  ),
  serialize: stored => stored,
}
