import type { JsonObject } from '../../base/json.ts'
import type { Schema } from '../../schema/schema.ts'
import { answerComponents } from './answer-schemas.ts'
import { batchComponents, batchOperation } from './batch.ts'
import { edgePaths } from './edge-paths.ts'
import { faultResponses, faultSchema } from './fault-schemas.ts'
import { nodePaths, severalNodes, tokenPaths } from './node-paths.ts'
import { NodeSchemas } from './node-schemas.ts'
import { headerComponents } from './operation.ts'
import { parameterComponents, type ToldLimits } from './parameters.ts'
import { picturePaths } from './picture-paths.ts'
import { valueComponents } from './value-schemas.ts'

/** What a document is made for beside its schema. */
export type OpenApiOptions = {
  /** One that the schema declares. */
  readonly version: string
  /** What paths begin with, a version not included. */
  readonly baseUrl: string
  readonly limits: ToldLimits
  /** Default: `Graph API`. */
  readonly title?: string | undefined
}

const DESCRIPTION =
  'Nodes, their fields, and the edges between them. A call answers the fields that it asks for by `fields`, edges and ' +
  'what they lead to included; without it, the default fields of the type. What has no value, or may not be seen, is ' +
  'left out, and never null.'

const TAGS: readonly JsonObject[] = [
  { name: 'Nodes', description: 'Nodes by id.' },
  { name: 'Edges', description: 'The lists that nodes have, page by page: follow `paging.next` to the end.' },
  { name: 'Pictures', description: 'Pictures as images.' },
  { name: 'Tokens', description: 'What a token is.' },
  { name: 'Batch', description: 'Several requests at once.' },
]

const SECURITY: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token in a header.' },
  access_token: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The token in the query: links of the answer then carry it too.',
  },
}

/**
 * Describes a schema, as one version of it is served, in OpenAPI 3.1: paths, parameters, faults, and a component for each
 * type. The same schema and options give the same document, keys in the same order.
 */
export const openApiOf = (
  schema: Schema,
  { version, baseUrl, limits, title = 'Graph API' }: OpenApiOptions,
): JsonObject => {
  const nodes = new NodeSchemas(schema, version)
  return {
    openapi: '3.1.0',
    info: { title, version, description: DESCRIPTION },
    servers: [{ url: `${baseUrl}/${version}` }],
    security: Object.keys(SECURITY).map(name => ({ [name]: [] })),
    tags: TAGS,
    paths: {
      ...nodePaths,
      '/': { get: severalNodes, post: batchOperation(limits) },
      ...edgePaths(schema),
      ...picturePaths(schema, version),
      ...tokenPaths,
    },
    components: {
      schemas: {
        ...nodes.components(),
        ...valueComponents,
        ...answerComponents,
        ...batchComponents,
        Fault: faultSchema,
      },
      parameters: parameterComponents(Object.keys(schema.types), limits, nodes.expression()),
      headers: headerComponents,
      responses: faultResponses,
      securitySchemes: SECURITY,
    },
  }
}
