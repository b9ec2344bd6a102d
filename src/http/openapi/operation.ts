import type { JsonObject } from '../../base/json.ts'
import { errorResponseRefs } from './error-schemas.ts'

/** An operation of the document. */
export type OperationDefinition = {
  readonly operationId: string
  readonly tag: 'Nodes' | 'Edges' | 'Pictures' | 'Tokens' | 'Batch' | 'Actions'
  readonly summary: string
  readonly description?: string
  /** The names of shared components, and parameters that only this operation has. */
  readonly parameters: readonly (string | JsonObject)[]
  readonly requestBody?: JsonObject
  /** The schema of a successful response. */
  readonly responseSchema: JsonObject
  /** Responses in addition to success and errors. */
  readonly responses?: JsonObject
  /** Whether no cache keeps the response, so that it has no `ETag`. */
  readonly isUncached?: boolean
}

const createHeader = (description: string): JsonObject => ({ description, schema: { type: 'string' } })

/** The headers of responses, as components. */
export const headerComponents: JsonObject = {
  ETag: createHeader('A hash of the response, for `If-None-Match`.'),
  'facebook-api-version': createHeader('The version that served the request.'),
  'x-fb-trace-id': createHeader('A random id of the response, which the server can log.'),
  'X-App-Usage': createHeader(
    'The percentage of the allowance that the app has used, as JSON. Sent only if the server has a limiter.',
  ),
  'WWW-Authenticate': createHeader('A short form of the error.'),
  'Retry-After': createHeader('Seconds until a retry may succeed, if known.'),
}

const createHeaderRefs = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

const UNCACHED_HEADERS = createHeaderRefs(['facebook-api-version', 'x-fb-trace-id', 'X-App-Usage'])
const RESPONSE_HEADERS = { ...createHeaderRefs(['ETag']), ...UNCACHED_HEADERS }

const NOT_MODIFIED_RESPONSE = {
  304: { description: 'The response has not changed: its `ETag` still matches `If-None-Match`.' },
}

/** Creates an operation of the document. */
export const createOperation = (operation: OperationDefinition): JsonObject => {
  const { operationId, tag, summary, description, parameters, requestBody, responseSchema, responses } =
    operation
  const { isUncached = false } = operation
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: parameters.map(parameter =>
      typeof parameter === 'string' ? { $ref: `#/components/parameters/${parameter}` } : parameter,
    ),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      200: {
        description: 'The response.',
        headers: isUncached ? UNCACHED_HEADERS : RESPONSE_HEADERS,
        content: { 'application/json': { schema: responseSchema } },
      },
      ...(!isUncached && NOT_MODIFIED_RESPONSE),
      ...errorResponseRefs,
      ...responses,
    },
  }
}
