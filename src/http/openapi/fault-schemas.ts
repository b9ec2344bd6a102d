import { type FaultReason, GraphError } from '../../base/faults.ts'
import type { JsonObject } from '../../base/json.ts'
import { schemaRef } from './references.ts'
import { objectSchema } from './value-schemas.ts'

/** When each fault is answered. */
const REASONS = {
  token_missing: 'There is no token.',
  viewer_missing: 'The token stands for nobody, so that there is no `me`.',
  token_unknown: 'The token is none of this graph.',
  token_expired: 'The token has expired.',
  token_revoked: 'The token was revoked.',
  proof_invalid: '`appsecret_proof` is wrong, or missing where it is compulsory.',
  node_missing: 'The node does not exist, may not be seen, or is not of the type asked for.',
  unknown_field: 'No type has a field or edge of that name.',
  bad_parameter: 'A parameter has a value that it cannot have; `error_data.parameter` names it.',
  syntax: 'The field expression does not parse; `error_data.position` says where.',
  duplicate: 'A name stands twice in the field expression.',
  unknown_path: 'The path leads nowhere.',
  not_in_version: 'This version does not have the field.',
  scope_missing: 'The token lacks the scope of an edge or a ref; `error_data.scope` names it.',
  method_not_supported: 'The graph is read by GET, and by POST of a batch.',
  too_many_ids: 'There are more ids than one call may ask for.',
  too_many_batch_items: 'There are more requests than a batch may hold.',
  bad_batch:
    'The batch is no list of requests, or one depends on what does not come before it, or has headers or a path that cannot be read.',
  request_too_large: 'The URL or the body is too long, or holds too many values.',
  request_too_slow: 'The body took too long to arrive.',
  expression_too_long: 'The field expression has too many characters.',
  expression_too_deep: 'The field expression has too many levels.',
  expression_too_wide: 'The field expression has too many names.',
  too_costly: 'The cost of the call is above the limit; `error_data.fits` is the `limit` that would do.',
  answer_too_large: 'The answer would be too long; `error_data.limit` tells how many characters it may have.',
  rate_limited_app: 'The app has used up its allowance.',
  rate_limited_user: 'The viewer has used up their allowance.',
  invalid_mutation: 'A write does not fit the schema. In-process alone: over HTTP a graph is only read.',
  store_fault: 'The store failed. The same request may succeed later.',
  deadline: 'The call took too long. The same request may succeed later.',
  aborted: 'The call was given up.',
  internal: 'Anything else; the trace id finds it in the log.',
} as const satisfies { readonly [reason in FaultReason]: string }

const TRACE_ID = '0123456789abcdef'

const FAULTS: readonly GraphError[] = (Object.keys(REASONS) as FaultReason[]).map(
  reason => new GraphError(reason, REASONS[reason], {}, { traceId: TRACE_ID }),
)

/** The envelope of every fault. */
export const faultSchema: JsonObject = {
  ...objectSchema(
    {
      error: objectSchema(
        {
          message: { type: 'string', description: 'For people: it may change.' },
          type: { type: 'string', enum: [...new Set(FAULTS.map(({ type }) => type))] },
          is_transient: { type: 'boolean', const: true, description: 'The same request may succeed later.' },
          code: { type: 'integer' },
          error_subcode: { type: 'integer' },
          error_data: {
            ...objectSchema({ reason: { type: 'string', enum: Object.keys(REASONS) } }, ['reason']),
            description: 'The particulars. `reason` is a stable word; what else is there depends on it.',
          },
          fbtrace_id: { type: 'string', pattern: '^[0-9a-f]{16}$', description: 'Finds the fault in a log.' },
        },
        ['message', 'type', 'code', 'error_data', 'fbtrace_id'],
      ),
    },
    ['error'],
  ),
  examples: FAULTS.map(fault => fault.toJSON()),
}

const lineOf = ({ code, subcode, data, message }: GraphError): string =>
  `- \`${data.reason}\`, ${subcode === undefined ? code : `${code}/${subcode}`}: ${message}`

const HEADERS = ['facebook-api-version', 'x-fb-trace-id', 'WWW-Authenticate', 'Retry-After']

const responseOf = (faults: readonly GraphError[]): JsonObject => ({
  description: faults.map(lineOf).join('\n'),
  headers: Object.fromEntries(HEADERS.map(name => [name, { $ref: `#/components/headers/${name}` }])),
  content: {
    'application/json': {
      schema: schemaRef('Fault'),
      examples: Object.fromEntries(faults.map(fault => [fault.data.reason, { value: fault.toJSON() }])),
    },
  },
})

const STATUSES = [...new Set(FAULTS.map(({ status }) => status))].sort()

/** The responses that faults come in, one for each status, as components. */
export const faultResponses: JsonObject = Object.fromEntries(
  STATUSES.map(status => [`Faults${status}`, responseOf(FAULTS.filter(fault => fault.status === status))]),
)

/** The same by status, as every operation has them. */
export const faultResponseRefs: JsonObject = Object.fromEntries(
  STATUSES.map(status => [status, { $ref: `#/components/responses/Faults${status}` }]),
)
