import { describeValue } from '../base/describe.ts'
import { isIdOfKind } from '../base/ids.ts'
import { isPlainObject } from '../base/json.ts'
import { formatChoices, unknownOptionError, usageError, usageErrorAbout } from '../base/usage-error.ts'
import type { ActionOutput } from '../execute/action-runtime.ts'
import type { QueryContext } from '../execute/query.ts'
import { publicIdOf } from '../format/node-urls.ts'
import type { ResultFields } from '../interface/action-calls.ts'
import type { Field } from '../schema/field.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { Action } from './action.ts'

/** The node of a result, with its public id. */
export type ReturnedNode = { readonly id: string; readonly type: string }

/** The checked result of `run`. */
export type CheckedResult = {
  readonly revision: string | undefined
  /** The response to a call without `fields`. */
  readonly body: ActionOutput
  /** The node, or `undefined` for an action that returns none. */
  readonly node: ReturnedNode | undefined
}

type Received = { readonly [name: string]: unknown }

const assertMembers = (received: Received, names: readonly string[]): void => {
  const unknownName = Object.keys(received).find(name => !names.includes(name))
  if (unknownName !== undefined)
    throw unknownOptionError('run', 'each member of the result', names, unknownName)
}

const checkNode = (context: QueryContext, returns: readonly string[], received: Received): ReturnedNode => {
  const { registry } = context.query.engine
  const { id, type = returns.length === 1 ? returns[0] : undefined } = received
  if (!isIdOfKind(registry.ids.kind, id))
    throw usageError('run', 'id', 'the raw id of a node', describeValue(id))
  if (typeof type !== 'string' || !returns.includes(type))
    throw usageError('run', 'type', formatChoices(returns), describeValue(type))
  return { id: publicIdOf(context, id, { appScoped: registry.isAppScopedType(type) }), type }
}

/** Returns the form of a value in the response, or `undefined` to leave it out. @throws a {@link ValidationIssue}. */
const serializeField = (context: QueryContext, field: Field, value: unknown): unknown => {
  const { registry } = context.query.engine
  if (field.kind === 'ref') {
    if (!isIdOfKind(registry.ids.kind, value)) throw new ValidationIssue('the raw id of a node', value)
    return publicIdOf(context, value, { appScoped: field.targets.some(registry.isAppScopedType) })
  }
  if (field.kind !== 'value') return undefined
  const { now, defaultPicture } = context
  const serializeContext = { now, defaultPicture, parameters: {}, isStrict: true }
  return field.type.serialize(field.type.parse(value), serializeContext)
}

const checkFields = (context: QueryContext, declared: ResultFields, received: unknown): ActionOutput => {
  if (!isPlainObject(received)) throw usageError('run', 'result', 'a plain object', describeValue(received))
  assertMembers(received, Object.keys(declared))
  const fields: { [name: string]: unknown } = {}
  for (const [name, field] of Object.entries(declared)) {
    const value = received[name]
    if (value === undefined && !field.required) continue
    try {
      if (value === undefined) throw new ValidationIssue('given, since it is required', value)
      const serialized = serializeField(context, field, value)
      if (serialized !== undefined) fields[name] = serialized
    } catch (error) {
      if (!(error instanceof ValidationIssue)) throw error
      const { path, expected, value: found } = error
      throw usageError('run', `result.${name}${path}`, expected, describeValue(found))
    }
  }
  return fields
}

/**
 * Checks and serializes the result of `run`.
 *
 * @throws TypeError for a result that the action does not declare.
 */
export const checkResult = (
  context: QueryContext,
  { returns, result }: Action,
  received: unknown,
): CheckedResult => {
  const ownNames = returns === undefined ? (result === undefined ? [] : ['result']) : ['id', 'type']
  const names = [...ownNames, 'revision']
  const members = received === undefined && ownNames.length === 0 ? {} : received
  if (!isPlainObject(members))
    throw usageErrorAbout('run', 'the result', `a plain object with "${names[0]}"`, describeValue(received))
  if (returns === undefined && members.id !== undefined)
    throw usageError('run', 'id', 'declared with the option "returns"', describeValue(members.id))
  assertMembers(members, names)
  const { revision } = members
  if (revision !== undefined && typeof revision !== 'string')
    throw usageError('run', 'revision', 'a string', describeValue(revision))
  const node = returns && checkNode(context, returns, members)
  if (node !== undefined) return { revision, node, body: { id: node.id } }
  const body = result === undefined ? { success: true } : checkFields(context, result, members.result)
  return { revision, node, body }
}
