import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isInVersion } from '../../base/version.ts'
import { ROOT_TYPE } from '../../schema/collection.ts'
import type { EdgeType } from '../../schema/edge.ts'
import type { Field } from '../../schema/field.ts'
import type { NodeType } from '../../schema/node.ts'
import { getOwn } from '../../schema/node.ts'
import type { Schema } from '../../schema/schema.ts'
import { shownFieldsOf } from '../../schema/shown-fields.ts'
import { describeEdge, describeField } from './descriptions.ts'
import { uncertainSummarySchema } from './response-schemas.ts'
import {
  boolValue,
  createAnyOf,
  createExampleId,
  createObjectSchema,
  createSchemaRef,
  datetimeValue,
  toValueSchema,
} from './value-schemas.ts'

/** An edge of one type. */
export type TypeEdge = { readonly typeName: string; readonly name: string; readonly edge: EdgeType }

/** Returns the names of the types whose nodes are stored. */
export const storedTypesOf = ({ types }: Schema): readonly string[] =>
  Object.keys(types).filter(name => name !== ROOT_TYPE)

/** Groups the edges of the given types by name, in the order of the schema. */
export const groupEdgesByName = (
  { types }: Schema,
  typeNames: readonly string[] = Object.keys(types),
): ReadonlyMap<string, readonly TypeEdge[]> => {
  const edgesByName = new Map<string, TypeEdge[]>()
  for (const typeName of typeNames) {
    for (const [name, edge] of Object.entries(types[typeName]?.edges ?? {})) {
      edgesByName.set(name, [...(edgesByName.get(name) ?? []), { typeName, name, edge }])
    }
  }
  return edgesByName
}

/**
 * Returns the name of the component that describes pages of an edge. Edges to the same types share a
 * component, except edges with fields. Names of types, fields and edges contain no hyphens or dots, so
 * component names are unique.
 */
export const formatPageComponentName = ({ typeName, name, edge }: TypeEdge): string =>
  Object.keys(edge.fields).length === 0 ? `${edge.targets.join('-')}-list` : `${typeName}.${name}`

/** Describes the ids of nodes of a type. The type of collections has one node, whose id is its name. */
const createIdValue = (schema: Schema, typeName: string) =>
  typeName === ROOT_TYPE
    ? { schema: { type: 'string', const: ROOT_TYPE }, example: ROOT_TYPE }
    : { schema: createSchemaRef('Id'), example: createExampleId(schema, typeName) }

/** Describes the nodes of a schema and the pages of its edges in one version. */
export class NodeSchemas {
  readonly #schema: Schema
  readonly #version: string

  constructor(schema: Schema, version: string) {
    this.#schema = schema
    this.#version = version
  }

  /** Creates a component for each type, for the pages of each edge, and for nodes of an unknown type. */
  createComponents(): JsonObject {
    const { types, viewers } = this.#schema
    const nodeSchemas = Object.entries(types).map(
      ([name, type]) => [name, this.#createNodeSchema(name, type)] as const,
    )
    const pageSchemas = [...groupEdgesByName(this.#schema).values()]
      .flat()
      .map(edge => [formatPageComponentName(edge), this.#createPageSchema(edge)] as const)
    return {
      Node: { description: 'A node of any type.', ...createAnyOf(storedTypesOf(this.#schema)) },
      Viewer: { description: 'The viewer of a token.', ...createAnyOf(viewers) },
      ...Object.fromEntries([...nodeSchemas, ...pageSchemas]),
    }
  }

  /** Creates an example expression for the first viewer type, with its default fields and its first edge. */
  createExampleExpression(): string {
    const [viewerTypeName = ''] = this.#schema.viewers
    const type = getOwn(this.#schema.types, viewerTypeName)
    const [edgeName] = Object.keys(type?.edges ?? {})
    return [
      'id',
      ...this.#defaultFieldsOf(type),
      ...(edgeName === undefined ? [] : [`${edgeName}.limit(2){id}`]),
    ].join(',')
  }

  #fieldsInVersion(fields: { readonly [name: string]: Field }): readonly (readonly [string, Field])[] {
    return Object.entries(fields).filter(([, field]) => isInVersion(field, this.#version))
  }

  #createProperties(fields: { readonly [name: string]: Field }): JsonObject {
    return Object.fromEntries(
      this.#fieldsInVersion(fields).map(([name, field]) => [
        name,
        { ...createFieldSchema(field), ...describeField(field) },
      ]),
    )
  }

  #defaultFieldsOf(type: NodeType | undefined): readonly string[] {
    return this.#fieldsInVersion(type?.fields ?? {}).flatMap(([name, field]) => (field.default ? [name] : []))
  }

  #createNodeSchema(typeName: string, type: NodeType): JsonObject {
    const edgeProperties = Object.entries(type.edges).map(([edgeName, edge]) => [
      edgeName,
      {
        ...createSchemaRef(formatPageComponentName({ typeName, name: edgeName, edge })),
        ...describeEdge(edge),
      },
    ])
    const defaultFieldsText = [...this.#defaultFieldsOf(type), 'id']
      .map(fieldName => `\`${fieldName}\``)
      .join(', ')
    return {
      ...createObjectSchema(
        {
          ...this.#createProperties(shownFieldsOf(type)),
          ...Object.fromEntries(edgeProperties),
          id: createIdValue(this.#schema, typeName).schema,
          metadata: {
            ...createSchemaRef('Metadata'),
            description: 'Present only with the parameter `metadata`.',
          },
          __debug__: createSchemaRef('Debug'),
        },
        ['id'],
      ),
      description: `${type.description} Default fields: ${defaultFieldsText}.`.trimStart(),
      examples: [this.#createNodeExample(typeName)],
    }
  }

  #createPageSchema(typeEdge: TypeEdge): JsonObject {
    const { edge } = typeEdge
    const [targetTypeName = ''] = edge.targets
    const targetSchema = createAnyOf(edge.targets)
    const entryFields = this.#createProperties(edge.fields)
    const hasEntryFields = Object.keys(entryFields).length > 0
    const entryExample = {
      ...this.#createFieldExamples(edge.fields, () => true),
      ...this.#createNodeExample(targetTypeName),
    }
    return {
      ...createObjectSchema(
        {
          data: {
            type: 'array',
            items: hasEntryFields
              ? { allOf: [targetSchema, { type: 'object', properties: entryFields }] }
              : targetSchema,
          },
          paging: createSchemaRef('Paging'),
          summary: edge.count.kind === 'stored' ? createSchemaRef('Summary') : uncertainSummarySchema,
          __debug__: createSchemaRef('Debug'),
        },
        ['data'],
      ),
      description: 'A page of a list. The last page has no `paging.next`.',
      examples: [{ data: [entryExample], paging: { cursors: { before: 'MQ', after: 'MQ' } } }, { data: [] }],
    }
  }

  #createFieldExamples(fields: NodeType['fields'], isShown: (field: Field) => boolean): JsonObject {
    return Object.fromEntries(
      this.#fieldsInVersion(fields).flatMap(([name, field]) =>
        isShown(field) ? [[name, this.#createValueExample(field)]] : [],
      ),
    )
  }

  /**
   * Creates an example of a node with its default fields. The recursion ends, because default refs do not
   * form cycles.
   */
  #createNodeExample(typeName: string): JsonObject {
    const type = getOwn(this.#schema.types, typeName)
    const fields = type === undefined ? {} : shownFieldsOf(type)
    return {
      ...this.#createFieldExamples(fields, field => field.default),
      id: createIdValue(this.#schema, typeName).example,
    }
  }

  #createValueExample(field: Field): JsonValue {
    if (field.kind === 'value') return toValueSchema(field.type).example
    if (field.kind === 'ref') return this.#createNodeExample(field.targets[0] ?? '')
    return field.kind === 'viewerEdge' ? boolValue.example : datetimeValue.example
  }
}

/** Creates the schema of the values of a field. */
export const createFieldSchema = (field: Field): JsonObject => {
  if (field.kind === 'value') return toValueSchema(field.type).schema
  if (field.kind === 'ref') return createAnyOf(field.targets)
  return field.kind === 'viewerEdge' ? boolValue.schema : datetimeValue.schema
}
