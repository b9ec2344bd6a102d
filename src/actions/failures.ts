import type { DeclaredAction, InfoOn } from '../interface/action-calls.ts'
import { ActionError, type ActionErrorOptions, assertDeclared, type LibraryFailure } from './action-error.ts'

/** The options of a declared failure: those of an {@link ActionError}. Without a message, it names the failure. */
export type FailOptions = Omit<ActionErrorOptions, 'message'> & Partial<Pick<ActionErrorOptions, 'message'>>

/**
 * Throws an {@link ActionError} with a failure that the action declares.
 *
 * @throws TypeError for another failure, so that the caller receives `internal_error`.
 */
export type Fail<TFailure extends string> = (failure: TFailure, options?: FailOptions) => never

/** Creates the function `fail` of an action. */
export const createFail =
  (failures: readonly string[] = []): Fail<string> =>
  (failure, options) => {
    assertDeclared('fail', failure, failures)
    const message = options?.message ?? `(#100) The action failed: ${failure}`
    throw new ActionError(failure, { ...options, message })
  }

/**
 * The failures of an action: the type of `error.data.failure` of an error with the reason `action_failed`. They are the
 * declared ones, and those that the library itself reports; `string` for an action that declares none.
 *
 * @example
 * ```ts
 * import type { FailureOf } from 'kithgraph/actions'
 * import { actionsOf } from 'kithgraph/actions'
 * import { edge, defineSchema, field, isViewer, node } from 'kithgraph'
 *
 * const schema = defineSchema(
 *   { user: node({ fields: { name: field.string() }, edges: { groups: edge('group') } }), group: node({}) },
 *   { viewers: ['user'] },
 * )
 * const action = actionsOf(schema)
 * const actions = [
 *   action('user', 'groups.add', { policy: [isViewer()], failures: ['already_member'], run: ({ fail }) => fail('already_member') }),
 * ]
 * const failure: FailureOf<typeof actions, 'user', 'groups.add'> = 'already_member'
 * console.log(failure) // already_member
 * ```
 */
export type FailureOf<
  TActions extends readonly DeclaredAction[],
  TType extends TActions[number]['type'],
  TName extends InfoOn<TActions[number], TType>['name'],
> = Extract<InfoOn<TActions[number], TType>, { name: TName }>['failures'] | LibraryFailure
