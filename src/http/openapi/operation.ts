import type { JsonObject } from '../../base/json.ts'
import { faultResponseRefs } from './fault-schemas.ts'

/** One way to ask something of the graph. */
export type Operation = {
  readonly operationId: string
  readonly tag: 'Nodes' | 'Edges' | 'Pictures' | 'Tokens' | 'Batch'
  readonly summary: string
  readonly description?: string
  /** Names of components, or parameters of this operation alone. */
  readonly parameters: readonly (string | JsonObject)[]
  readonly requestBody?: JsonObject
  /** What a successful answer looks like. */
  readonly answer: JsonObject
  /** Responses beside it and the faults. */
  readonly responses?: JsonObject
}

const header = (description: string): JsonObject => ({ description, schema: { type: 'string' } })

/** The headers of responses, as components. */
export const headerComponents: JsonObject = {
  ETag: header('Names this very answer, for `If-None-Match`.'),
  'facebook-api-version': header('The version that answered.'),
  'x-fb-trace-id': header('Finds the request in a log.'),
  'X-App-Usage': header(
    'Per cent of the allowance that are used up, as JSON; where the server has a limiter.',
  ),
  'WWW-Authenticate': header('The fault in short.'),
  'Retry-After': header('Seconds until it is worth trying again; where that is known.'),
}

const HEADERS = Object.fromEntries(
  ['ETag', 'facebook-api-version', 'x-fb-trace-id', 'X-App-Usage'].map(name => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
)

/** An operation as the document has it. */
export const operationObject = (operation: Operation): JsonObject => {
  const { operationId, tag, summary, description, parameters, requestBody, answer, responses } = operation
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
        description: 'The answer.',
        headers: HEADERS,
        content: { 'application/json': { schema: answer } },
      },
      304: { description: 'What `If-None-Match` names is still the answer.' },
      ...responses,
      ...faultResponseRefs,
    },
  }
}
