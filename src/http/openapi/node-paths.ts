import type { JsonObject } from '../../base/json.ts'
import { ROOT_TYPE } from '../../schema/collection.ts'
import { createOperation } from './operation.ts'
import { NODE_PARAMETER_NAMES, NODES_PARAMETER_NAMES, TOKEN_PARAMETER_NAMES } from './parameters.ts'
import { createSchemaRef } from './value-schemas.ts'

/** Creates the schema of an object with a result for each requested id. */
export const createByIdSchema = (valueSchema: JsonObject): JsonObject => ({
  type: 'object',
  properties: { __debug__: createSchemaRef('Debug') },
  additionalProperties: valueSchema,
})

/** The paths of the viewer and of a node. */
export const nodePaths: JsonObject = {
  '/me': {
    get: createOperation({
      operationId: 'getMe',
      tag: 'Nodes',
      summary: 'The viewer of the token',
      parameters: NODE_PARAMETER_NAMES,
      responseSchema: createSchemaRef('Viewer'),
    }),
  },
  '/{id}': {
    get: createOperation({
      operationId: 'getNode',
      tag: 'Nodes',
      summary: 'A node',
      parameters: ['id', ...NODE_PARAMETER_NAMES],
      responseSchema: createSchemaRef('Node'),
    }),
  },
}

/** The path of the node of collections. */
export const rootPaths: JsonObject = {
  '/root': {
    get: createOperation({
      operationId: 'getRoot',
      tag: 'Nodes',
      summary: 'Collections',
      description: 'Returns the collections that `fields` names.',
      parameters: NODE_PARAMETER_NAMES,
      responseSchema: createSchemaRef(ROOT_TYPE),
    }),
  },
}

/** The operation that reads several nodes. */
export const nodesOperation: JsonObject = createOperation({
  operationId: 'getNodes',
  tag: 'Nodes',
  summary: 'Several nodes',
  description: 'The parameter `id` names a single node: `/?id=1` is equivalent to `/1`.',
  parameters: ['ids', ...NODES_PARAMETER_NAMES],
  responseSchema: createByIdSchema(createSchemaRef('Node')),
})

/** The paths that describe tokens. */
export const tokenPaths: JsonObject = {
  '/me/permissions': {
    get: createOperation({
      operationId: 'getMyPermissions',
      tag: 'Tokens',
      summary: 'The scopes of the token',
      parameters: TOKEN_PARAMETER_NAMES,
      responseSchema: createSchemaRef('Permissions'),
    }),
  },
  '/debug_token': {
    get: createOperation({
      operationId: 'inspectToken',
      tag: 'Tokens',
      summary: 'Information about a token',
      description:
        'The token of the request must be the inspected token, or a token of the same app without a viewer. `type` is the type that the viewer had when the token was issued, because this call reads no node.',
      parameters: [
        {
          name: 'input_token',
          in: 'query',
          required: true,
          description: 'The token to inspect.',
          schema: { type: 'string' },
        },
        ...TOKEN_PARAMETER_NAMES,
      ],
      responseSchema: createSchemaRef('DebugToken'),
    }),
  },
}
