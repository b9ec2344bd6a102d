import { describeValue } from '../base/describe.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { FIELDS_EXPECTED } from '../fields/expression.ts'
import type { UntypedReads } from './untyped-reads.ts'

const CALL_OPTION_KINDS = {
  fields: 'any',
  metadata: 'boolean',
  version: 'text',
  signal: 'signal',
  minRevision: 'text',
  debug: 'any',
  partial: 'boolean',
  proof: 'text',
} as const satisfies OptionKinds

const EDGE_OPTION_KINDS = {
  type: 'any',
  edge: 'any',
  parameters: 'record',
  limit: 'any',
  after: 'any',
  before: 'any',
  since: 'any',
  until: 'any',
  order: 'any',
  summary: 'any',
  ...CALL_OPTION_KINDS,
} as const satisfies OptionKinds

// An iteration reads in one direction, and returns only entries.
const { before, summary, metadata, debug, ...ITERATE_OPTION_KINDS } = EDGE_OPTION_KINDS

/** The name of a method that reads. */
export type ReadMethodName = keyof UntypedReads<unknown>

type OptionsOf<TMethod extends ReadMethodName> = NonNullable<Parameters<UntypedReads<unknown>[TMethod]>[1]>

/**
 * The options of each read. Values that usually come from a request (ids, limits, cursors, dates) are
 * validated later. An invalid value throws a `GraphError`.
 */
export const READ_OPTION_KINDS: {
  readonly [TMethod in ReadMethodName]: { readonly [name in keyof OptionsOf<TMethod>]-?: OptionKinds[string] }
} = {
  getMe: CALL_OPTION_KINDS,
  getNode: { id: 'any', type: 'any', ...CALL_OPTION_KINDS },
  getNodes: { ids: 'any', ...CALL_OPTION_KINDS },
  getEdge: { id: 'any', ...EDGE_OPTION_KINDS },
  getEdges: { ids: 'any', ...EDGE_OPTION_KINDS },
  hasEdge: {
    id: 'any',
    type: 'any',
    edge: 'any',
    target: 'any',
    parameters: 'record',
    signal: 'signal',
    minRevision: 'text',
    proof: 'text',
  },
  getEdgeEntry: {
    id: 'any',
    type: 'any',
    edge: 'any',
    target: 'any',
    parameters: 'object',
    ...CALL_OPTION_KINDS,
  },
  iterateEdge: { id: 'any', ...ITERATE_OPTION_KINDS },
}

/** @throws TypeError for fields that are neither a string nor an array of strings. */
export const assertFields = (method: string, fields: unknown): void => {
  const isValid =
    typeof fields === 'string' || (Array.isArray(fields) && fields.every(item => typeof item === 'string'))
  if (fields !== undefined && !isValid)
    throw usageError(method, 'fields', FIELDS_EXPECTED, describeValue(fields))
}

/**
 * Validates the options of a read, before anything is read. `kinds` are the known options.
 *
 * @throws TypeError for an unknown option, an option of the wrong type, or a missing `ids` or `edge`.
 */
export const assertReadOptions: (
  method: ReadMethodName,
  options: object,
  kinds?: OptionKinds,
) => asserts options is { readonly [name: string]: unknown } = (
  method,
  options,
  kinds = READ_OPTION_KINDS[method],
) => {
  assertObject(method, options)
  assertOptionKinds(method, options, kinds)
  const { fields, debug } = options
  assertFields(method, fields)
  if (debug !== undefined && debug !== 'all') throw usageError(method, 'debug', '"all"', describeValue(debug))
  if ('ids' in kinds && !Array.isArray(options.ids))
    throw usageError(method, 'ids', 'an array', describeValue(options.ids))
  if ('edge' in kinds && typeof options.edge !== 'string')
    throw usageError(method, 'edge', 'a string', describeValue(options.edge))
}
