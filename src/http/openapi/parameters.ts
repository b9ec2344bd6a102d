import type { JsonObject } from '../../base/json.ts'
import { DEFAULT_PAGE_SIZE, type Limits } from '../../plan/limits.ts'
import type { Schema } from '../../schema/schema.ts'
import type { RequestLimits } from '../handler-options.ts'
import { LINKS_HEADER_NAME } from '../wire.ts'
import { storedTypesOf } from './node-schemas.ts'
import { createExampleId, createSchemaRef } from './value-schemas.ts'

/** The limits in a document. */
export type DocumentedLimits = Pick<Limits, 'length' | 'page' | 'ids'> & Pick<RequestLimits, 'batch'>

const createQueryParameter = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'query',
  description,
  schema,
})

const createFlagParameter = (name: string, description: string, defaultValue = false): JsonObject =>
  createQueryParameter(name, description, { type: 'boolean', default: defaultValue })

const createIdsParameter = (max: number, examples: readonly string[]): JsonObject => ({
  name: 'ids',
  in: 'query',
  description: 'Ids, separated by commas. The response has a member for each id.',
  required: true,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: max, examples: [examples] },
})

/** The largest integer that is parsed as Unix seconds. */
const MAX_TIME_SECONDS = 1e11

const createTimeSchema = (examples: readonly (string | number)[]): JsonObject => ({
  type: ['integer', 'string'],
  maximum: MAX_TIME_SECONDS,
  examples,
})

/** Creates the parameter `order` of edges with the given orders, in addition to those of all edges. */
export const createOrderParameter = (names: readonly string[]): JsonObject =>
  createQueryParameter('order', 'Default: the order of the edge.', {
    type: 'string',
    enum: [...new Set([...names, 'chronological', 'reverse_chronological'])],
  })

const createPageParameters = ({ page: maxPageSize }: DocumentedLimits): readonly JsonObject[] => [
  createQueryParameter(
    'limit',
    `The number of entries in a page. Numbers larger than ${maxPageSize} are reduced to ${maxPageSize}. With \`summary\`, 0 returns only the count.`,
    {
      type: 'integer',
      minimum: 0,
      default: Math.min(DEFAULT_PAGE_SIZE, maxPageSize),
    },
  ),
  createQueryParameter('after', 'Returns the page after this cursor. Cannot be combined with `before`.', {
    type: 'string',
  }),
  createQueryParameter('before', 'Returns the page before this cursor.', {
    type: 'string',
  }),
  createQueryParameter(
    'since',
    'The earliest time, inclusive: Unix seconds or ISO 8601. Words such as yesterday are not supported.',
    createTimeSchema([949_363_199]),
  ),
  createQueryParameter(
    'until',
    'The latest time, inclusive: Unix seconds or ISO 8601. Words such as yesterday are not supported.',
    createTimeSchema(['2000-01-31']),
  ),
  createOrderParameter([]),
  createFlagParameter('summary', 'Whether to count the whole list.'),
]

const partialParameter = createFlagParameter(
  'partial',
  'Whether to omit unknown fields and missing ids with a message, instead of returning an error.',
)

/** The parameters of reads and of actions. */
const commonParameters: readonly JsonObject[] = [
  createQueryParameter('debug', 'Adds the member `__debug__` with messages about omitted values.', {
    type: 'string',
    enum: ['all', 'info', 'warning'],
  }),
  createFlagParameter('pretty', 'Whether the response is indented.'),
  createQueryParameter(
    'appsecret_proof',
    "The HMAC-SHA256 of the token, with the app's secret as the key. Some servers require it.",
    {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
    },
  ),
  {
    name: LINKS_HEADER_NAME,
    in: 'header',
    description: 'With `relative`, links contain neither origin nor token.',
    schema: { type: 'string', enum: ['relative'] },
  },
]

const readParameters: readonly JsonObject[] = [
  partialParameter,
  ...commonParameters,
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of a cached response.',
    schema: { type: 'string' },
  },
]

const MAX_KEY_LENGTH = 255

/** The parameters that only actions have, as components. */
export const actionParameterComponents: JsonObject = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key of printable ASCII characters. A request that is repeated with its key writes only once.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: '^[ -~]+$' },
  },
}

/** Creates the parameter `fields` of a node or an entry. */
const createFieldsParameter = ({ length }: DocumentedLimits, example: string): JsonObject =>
  createQueryParameter(
    'fields',
    'The fields and edges to return, as names separated by commas. A name may have modifiers, such as `photos.limit(2)`, and ' +
      'the fields of its targets in braces, at any depth. The modifiers of an edge are its parameters, `limit`, `after`, `before`, ' +
      '`since`, `until`, `order` and `summary`. `.as(name)` returns a field or edge under another name.',
    { type: 'string', maxLength: length, examples: [example] },
  )

/** Creates the parameters of the document, as components. */
export const createParameterComponents = (
  schema: Schema,
  limits: DocumentedLimits,
  exampleExpression: string,
): { readonly [name: string]: JsonObject } => {
  const typeNames = storedTypesOf(schema)
  const [exampleType = ''] = typeNames
  const exampleIds = [1, 2].map(key => createExampleId(schema, exampleType, key))
  const idParameter: JsonObject = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of a node.',
    schema: createSchemaRef('Id'),
  }
  const queryAndHeaderParameters = [
    createFieldsParameter(limits, exampleExpression),
    createIdsParameter(limits.ids, exampleIds),
    createFlagParameter('metadata', 'Adds the type, fields and edges of the node as `metadata`.'),
    createQueryParameter('node_type', 'The type that the node must have.', {
      type: 'string',
      enum: typeNames,
    }),
    ...createPageParameters(limits),
    ...readParameters,
  ]
  const targetParameter: JsonObject = {
    ...idParameter,
    name: 'target',
    description: 'The id of the node that the entry leads to.',
  }
  return {
    id: idParameter,
    target: targetParameter,
    ...Object.fromEntries(queryAndHeaderParameters.map(parameter => [parameter.name, parameter])),
  }
}

const CALL_PARAMETER_NAMES = readParameters.map(({ name }) => `${name}`)

/** The parameters of actions, except `fields` and `Idempotency-Key`. */
export const ACTION_PARAMETER_NAMES = ['node_type', ...commonParameters.map(({ name }) => `${name}`)]

/** The parameters of paths for several nodes, as names of components. */
export const NODES_PARAMETER_NAMES = ['fields', 'metadata', ...CALL_PARAMETER_NAMES]
/** The parameters of paths for one node. */
export const NODE_PARAMETER_NAMES = ['fields', 'metadata', 'node_type', ...CALL_PARAMETER_NAMES]
/** The parameters of paths for the pages of an edge. */
export const EDGE_PARAMETER_NAMES = [
  'fields',
  'limit',
  'after',
  'before',
  'since',
  'until',
  'order',
  'summary',
  'node_type',
  ...CALL_PARAMETER_NAMES,
]
/** The parameters of paths for one entry of an edge. */
export const ENTRY_PARAMETER_NAMES = ['fields', 'node_type', ...CALL_PARAMETER_NAMES]
/** The parameters of paths without the parameter `fields`. */
export const TOKEN_PARAMETER_NAMES = ['pretty', 'appsecret_proof', 'If-None-Match']
