import type { JsonObject } from '../../base/json.ts'
import { schemaRef } from './references.ts'
import { objectSchema } from './value-schemas.ts'

const text: JsonObject = { type: 'string' }
const integer: JsonObject = { type: 'integer' }
const bool: JsonObject = { type: 'boolean' }

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })

/** An object whose members are all there. */
const whole = (properties: JsonObject): JsonObject => objectSchema(properties, Object.keys(properties))

const paging: JsonObject = {
  ...objectSchema({ cursors: objectSchema({ before: text, after: text }, []), previous: text, next: text }, [
    'cursors',
  ]),
  description:
    'Where a page begins and ends, and the links to the pages beside it. No `next`: it was the last.',
}

const summary: JsonObject = {
  ...whole({
    order: { type: 'string', enum: ['chronological', 'reverse_chronological'] },
    total_count: integer,
  }),
  description: 'Of the whole list, as far as the viewer may see it; with the parameter `summary`.',
}

const metadata: JsonObject = {
  ...whole({
    fields: list(whole({ name: text, description: text, type: text })),
    type: text,
    connections: { type: 'object', additionalProperties: text, description: 'The link to each edge.' },
  }),
  description: 'What a node can answer.',
}

const debug: JsonObject = {
  ...whole({
    messages: list(
      objectSchema({ message: text, type: { type: 'string', enum: ['warning', 'info'] }, link: text }, [
        'message',
        'type',
      ]),
    ),
  }),
  description: 'What an answer says of itself: with the parameters `debug` and `partial`, at its top alone.',
}

const debugToken: JsonObject = {
  ...whole({
    data: objectSchema(
      {
        app_id: text,
        application: text,
        type: { type: 'string', description: 'The type of the viewer, in capitals.' },
        error: objectSchema({ code: integer, message: text, subcode: integer }, ['code', 'message']),
        expires_at: { ...schemaRef('Unixtime'), description: 'Unix seconds; 0: never.' },
        issued_at: schemaRef('Unixtime'),
        is_valid: bool,
        scopes: list(text),
        user_id: schemaRef('Id'),
      },
      ['is_valid', 'scopes'],
    ),
  }),
  description: 'What a token is.',
}

const permissions: JsonObject = {
  ...whole({ data: list(whole({ permission: text, status: { type: 'string', enum: ['granted'] } })) }),
  description: 'The scopes that a token was granted.',
}

/** What answers are made of beside nodes: the same for every schema. */
export const answerComponents: JsonObject = {
  Paging: paging,
  Summary: summary,
  Metadata: metadata,
  Debug: debug,
  DebugToken: debugToken,
  Permissions: permissions,
}
