import type { ErrorReason } from '../../base/error-kinds.ts'
import { GraphError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { createObjectSchema, createSchemaRef } from './value-schemas.ts'

/** The cause of each error, by its reason. */
const REASON_DESCRIPTIONS = {
  token_missing: 'The request has no token.',
  viewer_required: 'The token has no viewer, so there is no `me`.',
  token_invalid: 'The token is not a valid token of this graph.',
  token_expired: 'The token has expired.',
  token_revoked: 'The token was revoked.',
  proof_invalid: '`appsecret_proof` is wrong, or missing although the server requires it.',
  node_not_found: 'The node does not exist, is not visible, or has another type than requested.',
  field_not_found: 'The field or edge does not exist.',
  invalid_parameter: 'A parameter has an invalid value; `error_data.parameter` names it.',
  invalid_syntax: 'The field expression has a syntax error at `error_data.position`.',
  duplicate_name: 'A name occurs twice in the field expression.',
  path_not_found: 'The path does not exist.',
  field_not_in_version: 'This version does not have the field.',
  scope_missing: 'The token lacks the scope of an edge or a ref; `error_data.scope` names it.',
  method_not_supported: 'The method is not supported for this path, or the node or edge has no such action.',
  too_many_ids: 'The call has too many ids.',
  batch_too_large: 'The batch has too many requests.',
  invalid_batch:
    'The batch is not a list of requests, or one of its requests depends on a later request, has invalid headers or has an invalid path.',
  request_too_large: 'The URL or the body is too long, or contains too many values.',
  request_too_slow: 'The body took too long to arrive.',
  expression_too_long: 'The field expression has too many characters.',
  expression_too_deep: 'The field expression has too many levels.',
  expression_too_wide: 'The field expression has too many names.',
  query_too_expensive:
    'The cost of the call is above the limit. With `error_data.fits` as the `limit` of every edge, the call would succeed.',
  response_too_large: 'The response would be longer than `error_data.limit` characters.',
  app_rate_limited: 'The app has used up its allowance.',
  user_rate_limited: 'The viewer has used up their allowance.',
  conflict: 'A condition of a write does not hold, or another batch was written with the same id.',
  invalid_mutation:
    'A write does not match the schema. This error occurs only in-process: over HTTP, it is `action_failed`.',
  action_denied: 'The policy of the action does not allow it.',
  action_failed: 'The action reports a failure; `error_data.failure` names it.',
  origin_not_allowed: 'The request writes, and a page of another site sent it.',
  store_error: 'The store failed. The same request may succeed later.',
  timeout: 'The call took too long. The same request may succeed later.',
  aborted: 'The call was aborted.',
  internal_error: 'Any other error. The response does not show its cause.',
} as const satisfies { readonly [reason in ErrorReason]: string }

const EXAMPLE_TRACE_ID = '0123456789abcdef'

const DOCUMENTED_ERRORS: readonly GraphError[] = (Object.keys(REASON_DESCRIPTIONS) as ErrorReason[]).map(
  reason => new GraphError(reason, REASON_DESCRIPTIONS[reason], {}, { traceId: EXAMPLE_TRACE_ID }),
)

/** The envelope of every error. */
export const errorSchema: JsonObject = {
  ...createObjectSchema(
    {
      error: createObjectSchema(
        {
          message: { type: 'string', description: 'A human-readable text, which may change.' },
          type: { type: 'string', enum: [...new Set(DOCUMENTED_ERRORS.map(({ type }) => type))] },
          is_transient: { type: 'boolean', const: true, description: 'The same request may succeed later.' },
          code: { type: 'integer' },
          error_subcode: { type: 'integer' },
          error_data: {
            ...createObjectSchema({ reason: { type: 'string', enum: Object.keys(REASON_DESCRIPTIONS) } }, [
              'reason',
            ]),
            description:
              'Details of the error. `reason` is stable, and the other members depend on its value.',
          },
          fbtrace_id: {
            type: 'string',
            pattern: '^[0-9a-f]{16}$',
            description: 'A random id of the error, which the server can log.',
          },
        },
        ['message', 'type', 'code', 'error_data', 'fbtrace_id'],
      ),
    },
    ['error'],
  ),
  examples: DOCUMENTED_ERRORS.map(error => error.toJSON()),
}

const formatErrorLine = ({ code, subcode, reason, message }: GraphError): string =>
  `- \`${reason}\`, ${subcode === undefined ? code : `${code}/${subcode}`}: ${message}`

const ERROR_HEADERS = ['facebook-api-version', 'x-fb-trace-id', 'WWW-Authenticate', 'Retry-After']

const createErrorComponent = (errors: readonly GraphError[]): JsonObject => ({
  description: errors.map(formatErrorLine).join('\n'),
  headers: Object.fromEntries(ERROR_HEADERS.map(name => [name, { $ref: `#/components/headers/${name}` }])),
  content: {
    'application/json': {
      schema: createSchemaRef('Error'),
      examples: Object.fromEntries(errors.map(error => [error.reason, { value: error.toJSON() }])),
    },
  },
})

const ERROR_STATUSES = [...new Set(DOCUMENTED_ERRORS.map(({ status }) => status))].sort()

/** The error responses, one for each status, as components. */
export const errorResponses: JsonObject = Object.fromEntries(
  ERROR_STATUSES.map(status => [
    `Errors${status}`,
    createErrorComponent(DOCUMENTED_ERRORS.filter(error => error.status === status)),
  ]),
)

/** The statuses that an action may choose for its failures, in addition to 400 and 403. */
const FAILURE_STATUSES = [404, 409, 410, 422, 429]

const failureExample = new GraphError(
  'action_failed',
  REASON_DESCRIPTIONS.action_failed,
  { failure: 'already_member' },
  { traceId: EXAMPLE_TRACE_ID },
)

/** The responses to failures of actions with a status of their own, as components. */
export const actionErrorResponses: JsonObject = Object.fromEntries(
  FAILURE_STATUSES.map(status => [`Failures${status}`, createErrorComponent([failureExample])]),
)

/** References to the responses to failures by status, for every action. */
export const actionErrorResponseRefs: JsonObject = Object.fromEntries(
  FAILURE_STATUSES.map(status => [status, { $ref: `#/components/responses/Failures${status}` }]),
)

/** References to the error responses by status, for every operation. */
export const errorResponseRefs: JsonObject = Object.fromEntries(
  ERROR_STATUSES.map(status => [status, { $ref: `#/components/responses/Errors${status}` }]),
)
