import type { JsonObject } from '../../base/json.ts'
import { DEFAULT_PAGE, type Limits } from '../../plan/limits.ts'
import type { RequestLimits } from '../handler-options.ts'
import { LINKS_HEADER } from '../wire.ts'
import { schemaRef } from './references.ts'

/** What a document tells of limits. */
export type ToldLimits = Pick<Limits, 'length' | 'page' | 'ids'> & Pick<RequestLimits, 'batch'>

const query = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'query',
  description,
  schema,
})

const flag = (name: string, description: string, otherwise = false): JsonObject =>
  query(name, description, { type: 'boolean', default: otherwise })

const ids = (most: number): JsonObject => ({
  name: 'ids',
  in: 'query',
  description: 'Ids with commas between. The answer has them as keys.',
  required: true,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: most, examples: [['1', '2']] },
})

/** Beyond it, an integer is not in seconds. */
const MOST_SECONDS = 1e11

const boundary = (examples: readonly (string | number)[]): JsonObject => ({
  type: ['integer', 'string'],
  maximum: MOST_SECONDS,
  examples,
})

const pageParameters = ({ page }: ToldLimits): readonly JsonObject[] => [
  query(
    'limit',
    `Entries of a page. A number above ${page} is lowered to it; 0 with \`summary\`: the count alone.`,
    {
      type: 'integer',
      minimum: 0,
      default: Math.min(DEFAULT_PAGE, page),
    },
  ),
  query('after', 'A cursor of an answer: the page behind it. Not together with `before`.', {
    type: 'string',
  }),
  query('before', 'A cursor of an answer: the page in front of it.', { type: 'string' }),
  query(
    'since',
    'The earliest time, inclusive: unix seconds or ISO 8601, no words such as yesterday.',
    boundary([949_363_199]),
  ),
  query(
    'until',
    'The latest time, inclusive: unix seconds or ISO 8601, no words such as yesterday.',
    boundary(['2000-01-31']),
  ),
  query('order', 'Default: the order of the edge.', {
    type: 'string',
    enum: ['chronological', 'reverse_chronological'],
  }),
  flag('summary', 'Whether to count the whole list.'),
]

const callParameters: readonly JsonObject[] = [
  flag(
    'partial',
    'Whether unknown fields, and ids that are missing, are left out with a message instead of a fault.',
  ),
  query('debug', 'Has the answer say what it leaves out, as `__debug__`.', {
    type: 'string',
    enum: ['all', 'info', 'warning'],
  }),
  flag('pretty', 'Whether the answer is indented.'),
  query(
    'appsecret_proof',
    "HMAC-SHA256 of the token under the app's secret. Compulsory where the server says so.",
    {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
    },
  ),
  {
    name: LINKS_HEADER,
    in: 'header',
    description: 'With `relative`, links have neither origin nor token.',
    schema: { type: 'string', enum: ['relative'] },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an answer that is still at hand.',
    schema: { type: 'string' },
  },
]

/** What is asked of a node or of an entry. */
const fieldsParameter = ({ length }: ToldLimits, example: string): JsonObject =>
  query(
    'fields',
    'What to answer: names of fields and edges with commas between. A name takes modifiers, `photos.limit(2)`, and what ' +
      'is asked of what it leads to, `{…}`, to any depth; `.as(name)` answers it under another name.',
    { type: 'string', maxLength: length, examples: [example] },
  )

/** The parameters of the document, as components. */
export const parameterComponents = (
  types: readonly string[],
  limits: ToldLimits,
  expression: string,
): { readonly [name: string]: JsonObject } => {
  const node: JsonObject = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of a node.',
    schema: schemaRef('Id'),
  }
  const named = [
    fieldsParameter(limits, expression),
    ids(limits.ids),
    flag('metadata', 'Whether the node tells its type, fields and edges, as `metadata`.'),
    query('node_type', 'The type that the node must have.', { type: 'string', enum: types }),
    ...pageParameters(limits),
    ...callParameters,
  ]
  const target: JsonObject = {
    ...node,
    name: 'target',
    description: 'The id of the node that the entry leads to.',
  }
  return { id: node, target, ...Object.fromEntries(named.map(parameter => [parameter.name, parameter])) }
}

const CALL = callParameters.map(({ name }) => `${name}`)

/** What may be asked of a node, of several, and of the pages of an edge: names of components. */
export const SEVERAL_PARAMETERS = ['fields', 'metadata', ...CALL]
export const NODE_PARAMETERS = ['fields', 'metadata', 'node_type', ...CALL]
export const EDGE_PARAMETERS = [
  'fields',
  'limit',
  'after',
  'before',
  'since',
  'until',
  'order',
  'summary',
  'node_type',
  ...CALL,
]
/** What may be asked of one entry of an edge. */
export const ENTRY_PARAMETERS = ['fields', 'node_type', ...CALL]
/** What may be asked of a call that takes no fields. */
export const TOKEN_PARAMETERS = ['pretty', 'appsecret_proof', 'If-None-Match']
