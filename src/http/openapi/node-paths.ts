import type { JsonObject } from '../../base/json.ts'
import { operationObject } from './operation.ts'
import { NODE_PARAMETERS, SEVERAL_PARAMETERS, TOKEN_PARAMETERS } from './parameters.ts'
import { schemaRef } from './references.ts'

/** Answers by the ids as they were asked. */
export const byId = (answer: JsonObject): JsonObject => ({
  type: 'object',
  properties: { __debug__: schemaRef('Debug') },
  additionalProperties: answer,
})

/** The paths to nodes: of the viewer, of an id, of several. */
export const nodePaths: JsonObject = {
  '/me': {
    get: operationObject({
      operationId: 'getMe',
      tag: 'Nodes',
      summary: 'The viewer: whom the token stands for',
      parameters: NODE_PARAMETERS,
      answer: schemaRef('Viewer'),
    }),
  },
  '/{id}': {
    get: operationObject({
      operationId: 'getNode',
      tag: 'Nodes',
      summary: 'A node',
      parameters: ['id', ...NODE_PARAMETERS],
      answer: schemaRef('Node'),
    }),
  },
}

/** Several nodes at once. */
export const severalNodes: JsonObject = operationObject({
  operationId: 'getNodes',
  tag: 'Nodes',
  summary: 'Several nodes',
  description: 'With `id` instead of `ids`, `/?id=1` is another way to write `/1`.',
  parameters: ['ids', ...SEVERAL_PARAMETERS],
  answer: byId(schemaRef('Node')),
})

/** What tells of tokens. */
export const tokenPaths: JsonObject = {
  '/me/permissions': {
    get: operationObject({
      operationId: 'getMyPermissions',
      tag: 'Tokens',
      summary: 'The scopes of the token',
      parameters: TOKEN_PARAMETERS,
      answer: schemaRef('Permissions'),
    }),
  },
  '/debug_token': {
    get: operationObject({
      operationId: 'inspectToken',
      tag: 'Tokens',
      summary: 'What a token is',
      description:
        'It is asked with that very token, or with one that its app has without a viewer. It reads no node: `type` is that of the viewer when the token was issued.',
      parameters: [
        {
          name: 'input_token',
          in: 'query',
          required: true,
          description: 'The token to be told of.',
          schema: { type: 'string' },
        },
        ...TOKEN_PARAMETERS,
      ],
      answer: schemaRef('DebugToken'),
    }),
  },
}
