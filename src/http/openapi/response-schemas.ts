import type { JsonObject } from '../../base/json.ts'
import { createObjectSchema, createSchemaRef } from './value-schemas.ts'

const textSchema: JsonObject = { type: 'string' }
const integerSchema: JsonObject = { type: 'integer' }
const boolSchema: JsonObject = { type: 'boolean' }

const createArraySchema = (items: JsonObject): JsonObject => ({ type: 'array', items })

/** Creates the schema of an object whose members are all required. */
const createRequiredObjectSchema = (properties: JsonObject): JsonObject =>
  createObjectSchema(properties, Object.keys(properties))

const pagingSchema: JsonObject = {
  ...createObjectSchema(
    {
      cursors: createObjectSchema({ before: textSchema, after: textSchema }, []),
      previous: textSchema,
      next: textSchema,
    },
    ['cursors'],
  ),
  description:
    'The cursors of the first and last entry, and links to the previous and next page. The last page has no `next`.',
}

const summarySchema: JsonObject = {
  ...createRequiredObjectSchema({
    order: textSchema,
    total_count: integerSchema,
  }),
  description:
    'The order of the list, and the number of its visible entries. Present only with the parameter `summary`.',
}

/** The summary of an edge whose long lists have no count. */
export const uncertainSummarySchema: JsonObject = {
  ...createObjectSchema({ order: textSchema, total_count: integerSchema }, ['order']),
  description:
    'The order of the list, and the number of its visible entries, which a long list does not have. Present only with the parameter `summary`.',
}

const metadataSchema: JsonObject = {
  ...createObjectSchema(
    {
      fields: createArraySchema(
        createRequiredObjectSchema({ name: textSchema, description: textSchema, type: textSchema }),
      ),
      type: textSchema,
      connections: {
        type: 'object',
        additionalProperties: textSchema,
        description: 'The link to each edge.',
      },
      actions: {
        ...createArraySchema(textSchema),
        description: 'The names of the actions of the type, if the graph has actions.',
      },
    },
    ['fields', 'type', 'connections'],
  ),
  description: 'The fields and edges of a node.',
}

const debugSchema: JsonObject = {
  ...createRequiredObjectSchema({
    messages: createArraySchema(
      createObjectSchema(
        { message: textSchema, type: { type: 'string', enum: ['warning', 'info'] }, link: textSchema },
        ['message', 'type'],
      ),
    ),
  }),
  description:
    'Messages about the whole response, at its top level. Present only with the parameter `debug` or `partial`.',
}

const debugTokenSchema: JsonObject = {
  ...createRequiredObjectSchema({
    data: createObjectSchema(
      {
        app_id: textSchema,
        application: textSchema,
        type: { type: 'string', description: 'The type of the viewer, in capital letters.' },
        error: createObjectSchema({ code: integerSchema, message: textSchema, subcode: integerSchema }, [
          'code',
          'message',
        ]),
        expires_at: { ...createSchemaRef('Unixtime'), description: 'Unix seconds; 0: never.' },
        issued_at: createSchemaRef('Unixtime'),
        is_valid: boolSchema,
        scopes: createArraySchema(textSchema),
        granular_scopes: createArraySchema(createRequiredObjectSchema({ scope: textSchema })),
        user_id: createSchemaRef('Id'),
      },
      ['is_valid', 'scopes', 'granular_scopes'],
    ),
  }),
  description: 'Information about a token.',
}

const permissionsSchema: JsonObject = {
  ...createRequiredObjectSchema({
    data: createArraySchema(
      createRequiredObjectSchema({
        permission: textSchema,
        status: { type: 'string', enum: ['granted', 'declined'] },
      }),
    ),
  }),
  description: 'The scopes of a token, and the scopes that its viewer declined.',
}

/** The components of responses other than nodes, which are the same for every schema. */
export const responseComponents: JsonObject = {
  Paging: pagingSchema,
  Summary: summarySchema,
  Metadata: metadataSchema,
  Debug: debugSchema,
  DebugToken: debugTokenSchema,
  Permissions: permissionsSchema,
}
