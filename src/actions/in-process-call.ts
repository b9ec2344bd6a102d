import { describeValue } from '../base/describe.ts'
import { assertObject, assertOptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import type { ActionCall } from '../execute/action-runtime.ts'
import { assertFields } from '../interface/assert-read-options.ts'
import type { CallActionOptions } from '../interface/call-action-options.ts'
import type { Registry } from '../schema/registry.ts'
import { deepCopy } from '../write/input-values.ts'

const OPTION_KINDS = {
  type: 'any',
  id: 'any',
  action: 'any',
  parameters: 'record',
  fields: 'any',
  idempotencyKey: 'text',
  version: 'text',
  signal: 'signal',
  minRevision: 'text',
  proof: 'text',
} as const

/** Copies the parameters, because the caller may change them during the call. */
const copyParameters = (parameters: CallActionOptions['parameters'] = {}): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(parameters).map(([name, value]) => [name, deepCopy(value)] as const))

/**
 * Returns the call of `callAction`. The checks read the newest state, so `minRevision` has no effect.
 *
 * @throws TypeError for an unknown option or type, or an option of the wrong type.
 */
export const toActionCall = (registry: Registry, options: CallActionOptions): ActionCall => {
  assertObject('callAction', options)
  assertOptionKinds('callAction', options, OPTION_KINDS)
  const { action, parameters, ...call } = options
  assertFields('callAction', call.fields)
  if (call.type !== undefined) registry.assertType('callAction', call.type)
  if (typeof action !== 'string') throw usageError('callAction', 'action', 'a string', describeValue(action))
  return { ...call, target: { kind: 'action', name: action }, parameters: copyParameters(parameters) }
}
