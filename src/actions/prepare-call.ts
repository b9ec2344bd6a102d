import { invalidParameterError } from '../base/errors.ts'
import type { ActionCall } from '../execute/action-runtime.ts'
import type { Query } from '../execute/query.ts'
import { parseId, type RootId } from '../execute/root-nodes.ts'
import type { ParsedFields } from '../plan/planner.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import type { Action } from './action.ts'
import type { ActionRegistry } from './action-registry.ts'
import { type ParsedParameters, parseCallParameters } from './parse-parameters.ts'

/** The input of the check of a call. */
export type ActionInput = {
  readonly call: ActionCall
  readonly actions: ActionRegistry
  /** The action of the call. Undefined until the type of the source is known. */
  action: Action | undefined
}

/** The validated options of a call. */
export type PreparedCall = {
  readonly id: RootId
  /** The fields of the node to read after the action, or `undefined` to return only its id. */
  readonly parsedFields: ParsedFields | undefined
  /** The parameters, or `undefined` if the action is not known before the source is read. */
  parameters: ParsedParameters | undefined
}

const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/

/** Returns the name of the key of a call: of an option, or of the header that a handler reads. */
export const keyNameOf = ({ target }: ActionCall): string =>
  target.kind === 'path' ? 'Idempotency-Key' : 'idempotencyKey'

const assertKey = (call: ActionCall): void => {
  const { idempotencyKey: key } = call
  if (key === undefined || KEY_PATTERN.test(key)) return
  throw invalidParameterError(
    keyNameOf(call),
    '1 to 255 printable ASCII characters',
    `${key.length} characters`,
  )
}

/** Returns the only action that a call can mean, if its name and its type leave no other. */
const findOnlyAction = ({ call, actions }: ActionInput): Action | undefined => {
  const types = call.type === undefined ? (call.id === ROOT_TYPE ? [ROOT_TYPE] : actions.types) : [call.type]
  const [action, ...others] = [...types].flatMap(type => actions.find(type, call.target) ?? [])
  return others.length === 0 ? action : undefined
}

/**
 * Validates what depends neither on the session nor on the data.
 *
 * @throws GraphError `invalid_parameter` for an invalid id, version or key, `too_many_ids`, and the errors of the
 * syntax of `fields`.
 */
export const prepareCall = ({ engine, call, input }: Query<ActionInput>): PreparedCall => {
  const id = parseId(engine, 'id', input.call.id)
  engine.registry.resolveVersion(call.version)
  assertKey(input.call)
  const parsedFields = call.fields === undefined ? undefined : engine.planner.parse(call.fields)
  const action = findOnlyAction(input)
  const parameters = action && parseCallParameters(engine, action, input.call)
  return { id, parsedFields, parameters }
}
