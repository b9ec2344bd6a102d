import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isInVersion } from '../../base/version.ts'
import type { Field } from '../../schema/field.ts'
import type { NodeType } from '../../schema/node.ts'
import { own } from '../../schema/own.ts'
import type { Schema } from '../../schema/schema.ts'
import { edgeNotes, fieldNotes } from './descriptions.ts'
import { edgesByName, type HeldEdge, listName } from './edge-holders.ts'
import { anyOf, schemaRef } from './references.ts'
import { boolValue, datetimeValue, idValue, objectSchema, valueSchemaOf } from './value-schemas.ts'

/** Describes the nodes of a schema and the pages of its edges, as one version has them. */
export class NodeSchemas {
  readonly #schema: Schema
  readonly #version: string

  constructor(schema: Schema, version: string) {
    this.#schema = schema
    this.#version = version
  }

  /** A component for each type, for the pages of each edge, and for nodes whose type is not known. */
  components(): JsonObject {
    const { types, viewers } = this.#schema
    const nodes = Object.entries(types).map(([name, type]) => [name, this.#node(name, type)] as const)
    const pages = [...edgesByName(this.#schema).values()]
      .flat()
      .map(held => [listName(held), this.#page(held)] as const)
    return {
      Node: { description: 'A node of any type.', ...anyOf(Object.keys(types)) },
      Viewer: { description: 'Whom a token stands for.', ...anyOf(viewers) },
      ...Object.fromEntries([...nodes, ...pages]),
    }
  }

  /** An expression over the first type that a token may stand for: its default fields, and its first edge. */
  expression(): string {
    const [viewer = ''] = this.#schema.viewers
    const type = own(this.#schema.types, viewer)
    const [edge] = Object.keys(type?.edges ?? {})
    return ['id', ...this.#defaultsOf(type), ...(edge === undefined ? [] : [`${edge}.limit(2){id}`])].join(
      ',',
    )
  }

  #fieldsOf(fields: { readonly [name: string]: Field }): readonly (readonly [string, Field])[] {
    return Object.entries(fields).filter(([, field]) => isInVersion(field, this.#version))
  }

  #properties(fields: { readonly [name: string]: Field }): JsonObject {
    return Object.fromEntries(
      this.#fieldsOf(fields).map(([name, field]) => [name, { ...schemaOf(field), ...fieldNotes(field) }]),
    )
  }

  #defaultsOf(type: NodeType | undefined): readonly string[] {
    return this.#fieldsOf(type?.fields ?? {}).flatMap(([name, field]) => (field.default ? [name] : []))
  }

  #node(name: string, type: NodeType): JsonObject {
    const edges = Object.entries(type.edges).map(([edge, declared]) => [
      edge,
      { ...schemaRef(listName({ holder: name, name: edge, edge: declared })), ...edgeNotes(declared) },
    ])
    const defaults = [...this.#defaultsOf(type), 'id'].map(field => `\`${field}\``).join(', ')
    return {
      ...objectSchema(
        {
          ...this.#properties(type.fields),
          ...Object.fromEntries(edges),
          id: idValue.schema,
          metadata: { ...schemaRef('Metadata'), description: 'With the parameter `metadata`.' },
          __debug__: schemaRef('Debug'),
        },
        ['id'],
      ),
      description: `${type.description} Fields where none are asked for: ${defaults}.`.trimStart(),
      examples: [this.#exampleOf(name)],
    }
  }

  #page(held: HeldEdge): JsonObject {
    const { edge } = held
    const [target = ''] = edge.targets
    const nodes = anyOf(edge.targets)
    const entryFields = this.#properties(edge.fields)
    const hasOwnFields = Object.keys(entryFields).length > 0
    const entryExample = { ...this.#examplesOf(edge.fields, () => true), ...this.#exampleOf(target) }
    return {
      ...objectSchema(
        {
          data: {
            type: 'array',
            items: hasOwnFields ? { allOf: [nodes, { type: 'object', properties: entryFields }] } : nodes,
          },
          paging: schemaRef('Paging'),
          summary: schemaRef('Summary'),
          __debug__: schemaRef('Debug'),
        },
        ['data'],
      ),
      description: 'A page of a list. It is the last where `paging.next` is missing.',
      examples: [{ data: [entryExample], paging: { cursors: { before: 'MQ', after: 'MQ' } } }, { data: [] }],
    }
  }

  #examplesOf(fields: NodeType['fields'], isShown: (field: Field) => boolean): JsonObject {
    return Object.fromEntries(
      this.#fieldsOf(fields).flatMap(([name, field]) =>
        isShown(field) ? [[name, this.#valueExample(field)]] : [],
      ),
    )
  }

  /** A node as it is answered where no fields are asked for. A schema's default refs have an end. */
  #exampleOf(type: string): JsonObject {
    const fields = own(this.#schema.types, type)?.fields ?? {}
    return { ...this.#examplesOf(fields, field => field.default), id: idValue.example }
  }

  #valueExample(field: Field): JsonValue {
    if (field.kind === 'value') return valueSchemaOf(field.type).example
    if (field.kind === 'ref') return this.#exampleOf(field.targets[0] ?? '')
    return field.kind === 'viewerEdge' ? boolValue.example : datetimeValue.example
  }
}

const schemaOf = (field: Field): JsonObject => {
  if (field.kind === 'value') return valueSchemaOf(field.type).schema
  if (field.kind === 'ref') return anyOf(field.targets)
  return field.kind === 'viewerEdge' ? boolValue.schema : datetimeValue.schema
}
