import type { JsonObject } from '../../base/json.ts'
import type { ActionDescription } from '../../execute/action-runtime.ts'
import { ROOT_TYPE } from '../../schema/collection.ts'
import type { Schema } from '../../schema/schema.ts'
import { addActionPaths, createActionComponents } from './action-paths.ts'
import { createBatchComponents, createBatchOperation } from './batch.ts'
import { createEdgePaths } from './edge-paths.ts'
import { actionErrorResponses, errorResponses, errorSchema } from './error-schemas.ts'
import { nodePaths, nodesOperation, rootPaths, tokenPaths } from './node-paths.ts'
import { NodeSchemas } from './node-schemas.ts'
import { headerComponents } from './operation.ts'
import { actionParameterComponents, createParameterComponents, type DocumentedLimits } from './parameters.ts'
import { createPicturePaths } from './picture-paths.ts'
import { responseComponents } from './response-schemas.ts'
import { createValueComponents } from './value-schemas.ts'

/** The options of a document. */
export type OpenApiOptions = {
  /** A version that the schema declares. */
  readonly version: string
  /** The prefix of paths, without a version. */
  readonly baseUrl: string
  readonly limits: DocumentedLimits
  /** The actions of the graph. Default: none. */
  readonly actions?: readonly ActionDescription[]
  /** The title of the document. Default: `Graph API`. */
  readonly title?: string | undefined
}

const API_DESCRIPTION =
  'Nodes, their fields, and the edges between them. A call returns the fields, edges and targets that `fields` names. ' +
  'Without `fields`, it returns the default fields of the type. Fields that are not visible or have no value are omitted ' +
  'and never null.'

const TAGS: readonly JsonObject[] = [
  { name: 'Nodes', description: 'Nodes by id.' },
  { name: 'Edges', description: 'Lists of nodes in pages. Follow `paging.next` to read all pages.' },
  { name: 'Pictures', description: 'Pictures as images.' },
  { name: 'Tokens', description: 'Information about tokens.' },
  { name: 'Batch', description: 'Several requests at once.' },
]

const ACTION_TAG: JsonObject = { name: 'Actions', description: 'Calls that write.' }

const SECURITY_COMPONENTS: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token in a header.' },
  access_token: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The token in the query. The links in the response then contain the token too.',
  },
}

/**
 * Describes one version of a schema in OpenAPI 3.1: paths, parameters, errors, and a component for each type.
 * The same schema and options give the same document, with keys in the same order.
 */
export const createOpenApi = (
  schema: Schema,
  { version, baseUrl, limits, actions = [], title = 'Graph API' }: OpenApiOptions,
): JsonObject => {
  const nodeSchemas = new NodeSchemas(schema, version)
  const hasActions = actions.length > 0
  const readPaths = {
    ...nodePaths,
    ...(Object.hasOwn(schema.types, ROOT_TYPE) ? rootPaths : {}),
    '/': { get: nodesOperation, post: createBatchOperation(limits) },
    ...createEdgePaths(schema),
    ...createPicturePaths(schema, version),
    ...tokenPaths,
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: API_DESCRIPTION },
    servers: [{ url: `${baseUrl}/${version}` }],
    security: Object.keys(SECURITY_COMPONENTS).map(name => ({ [name]: [] })),
    tags: hasActions ? [...TAGS, ACTION_TAG] : TAGS,
    paths: addActionPaths(readPaths, schema, actions),
    components: {
      schemas: {
        ...nodeSchemas.createComponents(),
        ...createValueComponents(schema.ids),
        ...responseComponents,
        ...createBatchComponents(hasActions),
        ...createActionComponents(schema, actions),
        Error: errorSchema,
      },
      parameters: {
        ...createParameterComponents(schema, limits, nodeSchemas.createExampleExpression()),
        ...(hasActions && actionParameterComponents),
      },
      headers: headerComponents,
      responses: { ...errorResponses, ...(hasActions && actionErrorResponses) },
      securitySchemes: SECURITY_COMPONENTS,
    },
  }
}

/** A placeholder for the base URL. Its null characters cannot occur in a base URL. */
const BASE_URL_PLACEHOLDER = '\u0000base\u0000'

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * The documents of a schema as text. Each document is created only once, because creating it takes
 * milliseconds and requests for it need no token.
 */
export class OpenApiDocuments {
  readonly #schema: Schema
  readonly #limits: DocumentedLimits
  readonly #actions: readonly ActionDescription[]
  /** The texts between the placeholders, by version. */
  readonly #segmentsByVersion = new Map<string, readonly string[]>()

  constructor(schema: Schema, limits: DocumentedLimits, actions: readonly ActionDescription[]) {
    this.#schema = schema
    this.#limits = limits
    this.#actions = actions
  }

  /** Returns the document of a declared version with `baseUrl`. */
  getText(version: string, baseUrl: string): string {
    const segments = this.#segmentsByVersion.get(version) ?? this.#createSegments(version)
    this.#segmentsByVersion.set(version, segments)
    return segments.join(escapeJson(baseUrl))
  }

  #createSegments(version: string): readonly string[] {
    const document = createOpenApi(this.#schema, {
      version,
      baseUrl: BASE_URL_PLACEHOLDER,
      limits: this.#limits,
      actions: this.#actions,
    })
    return JSON.stringify(document).split(escapeJson(BASE_URL_PLACEHOLDER))
  }
}
