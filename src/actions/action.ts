import type { Awaitable } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import type { RawId } from '../base/ids.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
import type { InstallActions } from '../execute/install-actions.ts'
import type { ActionTypeInfo, DeclaredAction, ResultFields } from '../interface/action-calls.ts'
import { toNameList } from '../schema/field.ts'
import { NO_PARAMETERS, type Parameters } from '../schema/parameter.ts'
import { type Policy, toPolicy } from '../schema/policy.ts'
import type { Schema } from '../schema/schema.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { WriteResult } from '../write/commit.ts'
import type { UntypedMutation } from '../write/mutation.ts'
import { EXPECTED_FAILURE, isOwnFailure } from './action-error.ts'
import type { Fail } from './failures.ts'
import type { StandardSchema } from './standard-schema.ts'

/** The cost of an action, in addition to what it reads. */
const DEFAULT_WEIGHT = 10

/** What `run` receives, without the types of the schema. */
export type RunContext = {
  readonly source: NodeRecord
  readonly parameters: unknown
  readonly session: Session
  readonly graph: object
  readonly write: (mutations: readonly UntypedMutation[]) => Promise<WriteResult>
  readonly newId: (type: string) => RawId
  readonly fail: Fail<string>
  readonly callId: string
  readonly signal: AbortSignal
  readonly now: number
}

/** A declared action: frozen data, which {@link actionsOf} creates. */
export type Action<TInfo extends ActionTypeInfo = ActionTypeInfo> = DeclaredAction<TInfo> & {
  /** The schema that the action was declared for. */
  readonly schema: Schema
  /** The policy, or `undefined` if every caller that sees the source may run the action. */
  readonly policy: Policy | undefined
  readonly weight: number
  readonly validate: StandardSchema | undefined
  /** Does the work of the action. */
  readonly run: (context: RunContext) => Awaitable<unknown>
  readonly '~install': InstallActions
}

/** The options of an action without their types. */
export type UntypedActionOptions = {
  readonly description?: string | undefined
  readonly scope?: string | undefined
  readonly policy: Policy | 'anyone'
  readonly parameters?: Parameters | undefined
  readonly validate?: StandardSchema | undefined
  readonly returns?: string | readonly string[] | undefined
  readonly result?: ResultFields | undefined
  readonly failures?: readonly string[] | undefined
  readonly idempotent?: boolean | undefined
  readonly weight?: number | undefined
  readonly run: (context: RunContext) => Awaitable<unknown>
}

const OPTION_KINDS = {
  description: 'text',
  scope: 'text',
  policy: 'any',
  parameters: 'object',
  validate: 'any',
  returns: 'any',
  result: 'object',
  failures: 'any',
  idempotent: 'boolean',
  weight: 'any',
  run: 'function',
} as const satisfies OptionKinds

const isStandardSchema = (value: unknown): boolean => {
  const { '~standard': standard }: { readonly '~standard'?: unknown } = Object(value)
  return isNonArrayObject(standard) && typeof standard.validate === 'function'
}

const assertValues = (location: string, options: UntypedActionOptions): void => {
  const { policy, run, validate, weight, returns, result } = options
  if (policy !== 'anyone' && !Array.isArray(policy))
    throw usageError(
      location,
      'policy',
      'an array of rules, such as [isViewer()], or "anyone"',
      describeValue(policy),
    )
  if (run === undefined) throw usageError(location, 'run', 'a function', describeValue(run))
  if (validate !== undefined && !isStandardSchema(validate))
    throw usageError(location, 'validate', 'a Standard Schema', describeValue(validate))
  if (weight !== undefined && (!Number.isSafeInteger(weight) || weight < 1))
    throw usageError(location, 'weight', 'an integer of at least 1', describeValue(weight))
  if (returns !== undefined && result !== undefined)
    throw usageError(location, 'result', 'left out of an action with "returns"', describeValue(result))
}

/** Returns the declared failures: distinct words of the action. */
const toFailures = (location: string, failures: unknown): readonly string[] => {
  const expected = `an array of distinct failures, each ${EXPECTED_FAILURE}`
  if (!Array.isArray(failures) || new Set(failures).size < failures.length || !failures.every(isOwnFailure))
    throw usageError(location, 'failures', expected, describeValue(failures))
  return Object.freeze([...failures])
}

/**
 * Creates an action. What depends on the schema is checked by `createGraph`, for all actions at once.
 *
 * @throws TypeError for an unknown option, or an option of the wrong type.
 */
export const createAction = (
  schema: Schema,
  install: InstallActions,
  type: string,
  name: string,
  options: UntypedActionOptions,
): Action => {
  const location = `action ${type} ${name}`
  assertObject(location, options)
  assertOptionKinds(location, options, OPTION_KINDS)
  assertValues(location, options)
  const { description = '', scope, policy, parameters, returns, result, idempotent = true } = options
  const { failures } = options
  return Object.freeze({
    schema,
    type,
    name,
    description,
    scope,
    policy: policy === 'anyone' ? undefined : toPolicy(location, policy),
    parameters: parameters === undefined ? NO_PARAMETERS : Object.freeze({ ...parameters }),
    validate: options.validate,
    returns: returns === undefined ? undefined : toNameList(location, returns, 'returns'),
    result: result && Object.freeze({ ...result }),
    failures: failures && toFailures(location, failures),
    idempotent,
    weight: options.weight ?? DEFAULT_WEIGHT,
    run: options.run,
    '~install': install,
  })
}
