import type { IdKind } from '../base/ids.ts'
import { isInVersion } from '../base/version.ts'
import type { Field } from './field.ts'
import type { FieldType, MemberType } from './field-type.ts'
import type { NodeType } from './node.ts'
import { stringType, urlType } from './scalar-types.ts'
import { shownFieldsOf } from './shown-fields.ts'
import { listType, mapType, objectType } from './structured-types.ts'

/** The metadata of one field. */
export type FieldMetadata = { name: string; description: string; type: string }

/** The metadata of a node: the fields of its type, and the URLs of its edges. */
export type Metadata = {
  fields: FieldMetadata[]
  type: string
  connections: { [edge: string]: string }
  /** The names of the actions of the type. Only a graph with actions has them. */
  actions?: string[]
}

/** Returns the name of a field's type in metadata. */
export const typeNameOf = (field: Field): string => {
  if (field.kind === 'value') return field.type.name
  if (field.kind === 'ref') return field.targets.join('|')
  return field.kind === 'viewerEdge' ? 'bool' : 'datetime'
}

/** Returns the name of the type of `id` in metadata. */
const idTypeNameOf = (ids: IdKind): string => (ids === 'digits' ? 'numeric string' : 'string')

/** Creates the metadata of the fields of a type in a version, including fields that a token may not see. */
export const createFieldsMetadata = (ids: IdKind, type: NodeType, version: string): FieldMetadata[] => [
  { name: 'id', description: 'The id of the node.', type: idTypeNameOf(ids) },
  ...Object.entries(shownFieldsOf(type))
    .filter(([, field]) => isInVersion(field, version))
    .map(([name, field]) => ({ name, description: field.description, type: typeNameOf(field) })),
]

/** Creates the URLs of the edges of a node. */
export const createConnectionsMetadata = (
  type: NodeType,
  urlOf: (edge: string) => string,
): Metadata['connections'] => Object.fromEntries(Object.keys(type.edges).map(edge => [edge, urlOf(edge)]))

/** Creates the metadata of a node. */
export const createNodeMetadata = (
  ids: IdKind,
  typeName: string,
  type: NodeType,
  version: string,
  urlOf: (edge: string) => string,
): Metadata => ({
  fields: createFieldsMetadata(ids, type, version),
  type: typeName,
  connections: createConnectionsMetadata(type, urlOf),
})

const textMember: MemberType = { type: stringType, required: true }

const fieldsMember: MemberType = {
  type: listType(
    objectType(
      new Map([
        ['name', textMember],
        ['description', textMember],
        ['type', textMember],
      ]),
    ),
  ),
  required: true,
}

const connectionsMember: MemberType = { type: mapType(urlType), required: true }

/** The type of the value `metadata`, whose members an expression can select. */
export const metadataType: FieldType = {
  ...objectType(
    new Map([
      ['fields', fieldsMember],
      ['type', textMember],
      ['connections', connectionsMember],
    ]),
  ),
  serialize: stored => stored,
}
