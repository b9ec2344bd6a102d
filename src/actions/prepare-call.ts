import { isRequestableId } from '../access/requested-ids.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { ActionCall } from '../execute/action-runtime.ts'
import type { Engine } from '../execute/engine.ts'
import type { Query } from '../execute/query.ts'
import { parseId, type RootId } from '../execute/root-nodes.ts'
import type { ParsedFields } from '../plan/planner.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import type { Action } from './action.ts'
import type { ActionRegistry } from './action-registry.ts'
import { type GivenId, GivenIdCollector } from './given-values.ts'

/** The input of the check of a call. */
export type ActionInput = {
  readonly call: ActionCall
  readonly actions: ActionRegistry
  /** The action of the call. Undefined until the type of the source is known. */
  action: Action | undefined
}

/** The ids that a call gives for nodes: all of them, and those that may exist, each once. */
export type GivenNodes = { readonly givenIds: readonly GivenId[]; readonly nodeIds: readonly RootId[] }

/** The validated options of a call. */
export type PreparedCall = {
  readonly id: RootId
  /** The fields of the node to read after the action, or `undefined` to return only its id. */
  readonly parsedFields: ParsedFields | undefined
  /** The nodes of the parameters, or `undefined` until the type of the source is known. */
  givenNodes: GivenNodes | undefined
}

const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/

const assertKey = (key: unknown): void => {
  if (key === undefined || (typeof key === 'string' && KEY_PATTERN.test(key))) return
  throw invalidParameterError('idempotencyKey', '1 to 255 printable ASCII characters', describeValue(key))
}

/**
 * Finds the ids that a call gives for the nodes of an action.
 *
 * @throws GraphError `too_many_ids`.
 */
export const findGivenNodes = (
  { registry, appIds, limits }: Engine,
  { parameters: declared }: Action,
  { parameters }: ActionCall,
): GivenNodes => {
  const givenIds = new GivenIdCollector(limits.ids).collectAll(declared, parameters)
  const { kind } = registry.ids
  const ids = new Set<string>()
  for (const { id } of givenIds) if (isRequestableId(id, kind, appIds !== undefined)) ids.add(id)
  return { givenIds, nodeIds: [...ids].map(requestedId => ({ requestedId, rawId: undefined })) }
}

/** Returns the only action that a call can mean, if its name and its type leave no other. */
const findOnlyAction = ({ call, actions }: ActionInput): Action | undefined => {
  const types = call.type === undefined ? (call.id === ROOT_TYPE ? [ROOT_TYPE] : actions.types) : [call.type]
  const candidates: Action[] = []
  for (const type of types) {
    const action = actions.find(type, call.target)
    if (action !== undefined) candidates.push(action)
  }
  return candidates.length === 1 ? candidates[0] : undefined
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
  assertKey(input.call.idempotencyKey)
  // An empty expression counts as absent.
  const parsedFields =
    call.fields === undefined || call.fields.length === 0 ? undefined : engine.planner.parse(call.fields)
  const action = findOnlyAction(input)
  return { id, parsedFields, givenNodes: action && findGivenNodes(engine, action, input.call) }
}
