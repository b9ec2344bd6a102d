import type { JsonObject } from '../../base/json.ts'
import { operationObject } from './operation.ts'
import type { ToldLimits } from './parameters.ts'
import { schemaRef } from './references.ts'
import { objectSchema } from './value-schemas.ts'

const text: JsonObject = { type: 'string' }

const item: JsonObject = {
  ...objectSchema(
    {
      method: { ...text, enum: ['GET'] },
      relative_url: {
        ...text,
        description:
          'A path and query of this API. `{result=name:$.data.*.id}` stands for what another request answered.',
      },
      name: { ...text, description: 'What others depend on it by.' },
      depends_on: { ...text, description: 'The name of a request that must succeed first.' },
      omit_response_on_success: {
        type: 'boolean',
        description:
          'Whether the answer is null if the request succeeds. By default it is if others depend on the request.',
      },
    },
    ['method', 'relative_url'],
  ),
  description: 'A request of a batch.',
  examples: [{ method: 'GET', relative_url: 'me?fields=id' }],
}

const answer: JsonObject = {
  ...objectSchema(
    {
      code: { type: 'integer', description: 'The status.' },
      headers: { type: 'array', items: objectSchema({ name: text, value: text }, ['name', 'value']) },
      body: { ...text, contentMediaType: 'application/json', description: 'JSON as text.' },
    },
    ['code', 'body'],
  ),
  type: ['object', 'null'],
  description:
    'The answer to a request of a batch; null for one that others depended on, or that was not reached.',
  examples: [{ code: 200, body: '{"id":"1"}' }],
}

/** What a batch is made of, as components. */
export const batchComponents: JsonObject = { BatchRequest: item, BatchResponse: answer }

/** Several requests at once. */
export const batchOperation = ({ batch }: ToldLimits): JsonObject => {
  const schema = objectSchema(
    {
      batch: { type: 'array', items: schemaRef('BatchRequest'), maxItems: batch },
      include_headers: { type: 'boolean', default: true },
    },
    ['batch'],
  )
  return operationObject({
    operationId: 'runBatch',
    tag: 'Batch',
    summary: 'Several requests at once',
    description:
      'Answers in the order of the requests. One that fails has its own fault, and the others go on.',
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
    answer: { type: 'array', items: schemaRef('BatchResponse') },
  })
}
