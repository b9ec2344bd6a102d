import { isPublicId } from '../access/app-ids/app-ids.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { isNodeId } from '../base/ids.ts'
import type { OptionKinds } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import type { CallOptions, DebugOptions, FieldsOption, MetadataOptions, Token } from './call-options.ts'

/** The options of every read, without the types of a schema. */
export type Call = FieldsOption &
  MetadataOptions &
  DebugOptions &
  CallOptions & {
    /**
     * Whether unknown names in `fields` are ignored. Only a handler sets it; it is not an option of the
     * graph's methods.
     */
    readonly unknownFields?: 'error' | 'ignore' | undefined
  }

/** The token or session of a call; undefined if it has none. */
export type Caller = Token | Session | undefined

/** The names and kinds of the options of every read. */
export const CALL_OPTION_KINDS = {
  fields: 'any',
  metadata: 'boolean',
  version: 'text',
  signal: 'any',
  minRevision: 'text',
  debug: 'any',
  partial: 'boolean',
  proof: 'text',
} as const satisfies OptionKinds

/**
 * @throws GraphError `invalid_parameter` unless the value is an id, an app-scoped id (if the graph has such
 * ids) or `me`.
 */
export const assertId = (parameter: string, id: unknown, allowsAppScopedIds: boolean): void => {
  if (id === 'me' || isNodeId(id) || (allowsAppScopedIds && typeof id === 'string' && isPublicId(id))) return
  const maxDigits = allowsAppScopedIds ? 20 : 19
  throw invalidParameterError(
    parameter,
    `a string of at most ${maxDigits} digits, or "me"`,
    describeValue(id),
  )
}
