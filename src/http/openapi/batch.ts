import type { JsonObject } from '../../base/json.ts'
import { createOperation } from './operation.ts'
import type { DocumentedLimits } from './parameters.ts'
import { createObjectSchema, createSchemaRef } from './value-schemas.ts'

const textSchema: JsonObject = { type: 'string' }

/** The members that only requests of a graph with actions need. */
const writeProperties: JsonObject = {
  body: { ...textSchema, description: 'A form, or JSON with its `Content-Type` in `headers`.' },
  headers: { type: 'object', additionalProperties: textSchema, examples: [{ 'Idempotency-Key': 'key-1' }] },
}

const createRequestSchema = (hasActions: boolean): JsonObject => ({
  ...createObjectSchema(
    {
      method: { ...textSchema, enum: hasActions ? ['GET', 'POST', 'DELETE'] : ['GET'] },
      relative_url: {
        ...textSchema,
        description:
          'A path and query of this API. `{result=name:$.data.*.id}` inserts values from the response to another request.',
      },
      name: { ...textSchema, description: 'A name that later requests can use to refer to this request.' },
      depends_on: { ...textSchema, description: 'The name of a request that must succeed first.' },
      omit_response_on_success: {
        type: 'boolean',
        description:
          'Whether the response is null if the request succeeds. Default: true if other requests depend on this one.',
      },
      ...(hasActions && writeProperties),
    },
    ['method', 'relative_url'],
  ),
  description: 'A request of a batch.',
  examples: [{ method: 'GET', relative_url: 'me?fields=id' }],
})

const batchResponseSchema: JsonObject = {
  ...createObjectSchema(
    {
      code: { type: 'integer', description: 'The status.' },
      headers: {
        type: 'array',
        items: createObjectSchema({ name: textSchema, value: textSchema }, ['name', 'value']),
      },
      body: {
        ...textSchema,
        contentMediaType: 'application/json',
        description: 'The body of the response, as JSON text.',
      },
    },
    ['code', 'body'],
  ),
  type: ['object', 'null'],
  description:
    'The response to a request of a batch; null if the response was omitted or the request did not run in time.',
  examples: [{ code: 200, body: '{"id":"1"}' }],
}

/** Creates the schemas of a batch, as components. */
export const createBatchComponents = (hasActions: boolean): JsonObject => ({
  BatchRequest: createRequestSchema(hasActions),
  BatchResponse: batchResponseSchema,
})

/** Creates the operation that runs several requests at once. */
export const createBatchOperation = ({ batch }: DocumentedLimits): JsonObject => {
  const schema = createObjectSchema(
    {
      batch: { type: 'array', items: createSchemaRef('BatchRequest'), maxItems: batch },
      include_headers: { type: 'boolean', default: true },
    },
    ['batch'],
  )
  return createOperation({
    operationId: 'runBatch',
    tag: 'Batch',
    summary: 'Several requests at once',
    description:
      'Responses are in the order of the requests. A request that fails has its own error and does not affect the others.',
    parameters: ['pretty', 'appsecret_proof'],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema },
        'application/x-www-form-urlencoded': {
          schema,
          encoding: { batch: { contentType: 'application/json' } },
        },
      },
    },
    responseSchema: { type: 'array', items: createSchemaRef('BatchResponse') },
  })
}
