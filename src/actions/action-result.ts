import { describeValue } from '../base/describe.ts'
import { isIdOfKind, type RawId } from '../base/ids.ts'
import { isPlainObject } from '../base/json.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { QueryContext } from '../execute/query.ts'
import { publicIdOf } from '../format/node-urls.ts'
import type { ResultFields } from '../interface/action-calls.ts'
import type { Field } from '../schema/field.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { refTypeOf } from '../schema/ref-type.ts'
import type { Action } from './action.ts'

/** The checked result of `run`. */
export type CheckedResult = { readonly revision: string | undefined } & (
  | { readonly kind: 'node'; readonly id: RawId; readonly type: string; readonly publicId: string }
  | { readonly kind: 'fields'; readonly fields: { readonly [name: string]: unknown } }
  | { readonly kind: 'success' }
)

type Received = { readonly [name: string]: unknown }

const resultError = (expected: string, received: unknown): TypeError =>
  usageErrorAbout('run', 'the result', expected, describeValue(received))

const assertMembers = (received: Received, names: readonly string[]): void => {
  const unknownName = Object.keys(received).find(name => !names.includes(name))
  if (unknownName !== undefined)
    throw usageErrorAbout(
      'run',
      'each member of the result',
      `one of ${names.join(', ')}`,
      describeValue(unknownName),
    )
}

const parseRevision = ({ revision }: Received): string | undefined => {
  if (revision === undefined || typeof revision === 'string') return revision
  throw resultError('an object whose revision is a string', revision)
}

const checkNode = (context: QueryContext, returns: readonly string[], received: Received): CheckedResult => {
  const { registry } = context.query.engine
  const [onlyType = ''] = returns
  assertMembers(received, ['id', 'type', 'revision'])
  const { id, type = returns.length === 1 ? onlyType : undefined } = received
  if (!isIdOfKind(registry.ids.kind, id)) throw resultError('an object with the raw id of a node', id)
  if (typeof type !== 'string' || !returns.includes(type))
    throw resultError(`an object with a type of ${returns.join(', ')}`, type)
  const appScoped = registry.isAppScopedType(type)
  return {
    kind: 'node',
    id,
    type,
    publicId: publicIdOf(context, id, { appScoped }),
    revision: parseRevision(received),
  }
}

/** Returns the form of a value in the result, or `undefined` to leave it out. */
const serializeField = (context: QueryContext, name: string, field: Field, value: unknown): unknown => {
  const { registry } = context.query.engine
  if (field.kind === 'ref') {
    const { isValid } = refTypeOf(registry.ids.kind)
    if (typeof value !== 'string' || !isValid(value))
      throw resultError(`an object whose ${name} is a raw id`, value)
    return publicIdOf(context, value, { appScoped: field.targets.some(registry.isAppScopedType) })
  }
  if (field.kind !== 'value') return undefined
  const { now, defaultPicture } = context
  return field.type.serialize(field.type.parse(value), {
    now,
    defaultPicture,
    parameters: {},
    isStrict: true,
  })
}

const checkFields = (context: QueryContext, declared: ResultFields, received: unknown): Received => {
  if (!isPlainObject(received)) throw resultError('an object with a plain object "result"', received)
  assertMembers(received, Object.keys(declared))
  const fields: { [name: string]: unknown } = {}
  for (const [name, field] of Object.entries(declared)) {
    const value = received[name]
    if (value === undefined) {
      if (field.required) throw resultError(`an object with the required ${name}`, received)
      continue
    }
    try {
      const serialized = serializeField(context, name, field, value)
      if (serialized !== undefined) fields[name] = serialized
    } catch (error) {
      if (error instanceof ValidationIssue)
        throw resultError(`an object whose ${name}${error.path} is ${error.expected}`, error.value)
      throw error
    }
  }
  return fields
}

/**
 * Checks and serializes the result of `run`.
 *
 * @throws TypeError for a result that the action does not declare.
 */
export const checkResult = (context: QueryContext, action: Action, received: unknown): CheckedResult => {
  const { returns, result } = action
  const members = received === undefined && returns === undefined && result === undefined ? {} : received
  if (!isPlainObject(members)) throw resultError('an object', received)
  if (returns !== undefined) return checkNode(context, returns, members)
  if (result === undefined) {
    assertMembers(members, ['revision'])
    return { kind: 'success', revision: parseRevision(members) }
  }
  assertMembers(members, ['result', 'revision'])
  return {
    kind: 'fields',
    fields: checkFields(context, result, members.result),
    revision: parseRevision(members),
  }
}
