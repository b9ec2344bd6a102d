import { describeValue } from '../base/describe.ts'
import { usageError } from '../base/usage-error.ts'
import type { ResultFields } from '../interface/action-calls.ts'
import { isSchema } from '../schema/define-schema.ts'
import type { TypeInfoOf, TypeName } from '../schema/inference/parent.ts'
import type { Parameters } from '../schema/parameter.ts'
import type { Policy, Rule } from '../schema/policy.ts'
import type { AnySchema, Schema } from '../schema/schema.ts'
import { type Action, createAction, type UntypedActionOptions } from './action.ts'
import type { ReturnedTypes, Run } from './action-types.ts'
import { installActions } from './runtime.ts'
import type { StandardSchema } from './standard-schema.ts'

/** The names of the actions of an edge. */
type EdgeActionName<TEdge extends string> = `${TEdge}.${'add' | 'remove'}`

/** The names of the actions of the edges of a type, or the text of an error if it has no edges. */
type EdgeActionNameOn<TEdge extends string, TType extends string> = [TEdge] extends [never]
  ? `${TType} has no edges`
  : EdgeActionName<TEdge>

/** The names that an action may have instead of a wrong one, or the text of an error about it. */
type NameErrors<TEdge extends string, TField extends string, TType extends string, TName extends string> =
  TName extends EdgeActionName<TEdge>
    ? never
    : TName extends TEdge
      ? `'${TName}' is an edge of ${TType}: use '${TName}.add' or '${TName}.remove'`
      : TName extends TField
        ? `'${TName}' is a field of ${TType}: use 'update', or a name of your own`
        : TType extends 'root'
          ? EdgeActionNameOn<TEdge, TType>
          : TName extends `${string}.${string}`
            ? EdgeActionNameOn<TEdge, TType>
            : never

/**
 * A valid name of an action, or the names or the text that its error shows. `infer TError` prevents inference from
 * them.
 */
type CheckedName<TSchema extends Schema, TType extends TypeName<TSchema>, TName extends string> =
  NameErrors<
    keyof TSchema['types'][TType]['edges'] & string,
    keyof TSchema['types'][TType]['fields'] & string,
    TType,
    TName
  > extends infer TError
    ? [TError] extends [never]
      ? TName
      : TError
    : never

/** A policy, or the text of the error of a rule in its place. */
type CheckedPolicy<TPolicy> = TPolicy extends Rule ? 'put the rule into an array: policy: [rule]' : TPolicy

/** The types of the nodes in the value of a parameter. */
type NodeTypesIn<TValue> = TValue extends { readonly '~node': infer TType }
  ? TType
  : TValue extends readonly (infer TItem)[]
    ? NodeTypesIn<TItem>
    : TValue extends string | number | boolean | null | undefined
      ? never
      : { [N in keyof TValue]: NodeTypesIn<TValue[N]> }[keyof TValue]

type UnknownTypesIn<TSchema extends Schema, TParameter> =
  TypeInfoOf<TParameter> extends { value: infer TValue }
    ? Exclude<NodeTypesIn<TValue>, TypeName<TSchema>>
    : never

/** The text of an error for each parameter with a node of a type that the schema does not have. */
type CheckedParameters<TSchema extends Schema, TParameters> = {
  readonly [N in keyof TParameters as [UnknownTypesIn<TSchema, TParameters[N]>] extends [never]
    ? never
    : N]: `no type '${UnknownTypesIn<TSchema, TParameters[N]> & string}'`
}

/** A validator, or the text of the error of a name in its input that is no parameter. */
type CheckedValidator<TValidator, TParameterName> = TValidator extends {
  readonly '~standard': { readonly types?: { readonly input: infer TInput } | undefined }
}
  ? string extends keyof TInput
    ? TValidator
    : [Exclude<keyof TInput, TParameterName>] extends [never]
      ? TValidator
      : `no parameter '${Exclude<keyof TInput, TParameterName> & string}'`
  : TValidator

/** The options of an action. */
export interface ActionOptions<
  TSchema extends Schema,
  TType extends TypeName<TSchema>,
  TParameters extends Parameters,
  TReturns extends TypeName<TSchema> | readonly TypeName<TSchema>[] | undefined,
  TResult extends ResultFields | undefined,
  TFailures extends readonly string[] | undefined = undefined,
  TPolicy extends Policy | Rule | 'anyone' = Policy | 'anyone',
  TValidator extends StandardSchema = StandardSchema,
> {
  /** The description in the OpenAPI document. */
  readonly description?: string | undefined
  /** The scope that a token must have. */
  readonly scope?: string | undefined
  /**
   * The rules that decide about the record of the source, or `'anyone'`: every token that sees the source and has the
   * scope. The scope and the policy of an edge are about reading, and do not apply.
   */
  readonly policy: CheckedPolicy<TPolicy>
  /** The parameters by name. */
  readonly parameters?: (TParameters & CheckedParameters<TSchema, TParameters>) | undefined
  /**
   * A validator of all parameters together, of any library that implements Standard Schema. It receives the parsed
   * values, with each node as the id that the caller gave. Its output is dropped. It runs last of all checks.
   */
  readonly validate?: (StandardSchema & CheckedValidator<TValidator, keyof TParameters>) | undefined
  /** The type of the node that `run` returns, or a list of types. */
  readonly returns?: TReturns
  /** The fields of the result of an action that returns no node. */
  readonly result?: TResult
  /**
   * The failures that `run` reports, by the words of `error_data.failure`. Then `run` can throw them with `fail`, and an
   * `ActionError` with another word becomes `internal_error`. Default: any word.
   */
  readonly failures?: TFailures
  /** Whether a call may have a key. Default true. */
  readonly idempotent?: boolean | undefined
  /** The cost of the action, in addition to what its checks read: an integer of at least 1. Default 10. */
  readonly weight?: number | undefined
  /** Does the work of the action. It is called at most once for each accepted call. */
  readonly run: Run<TSchema, TType, TParameters, TReturns, TResult, TFailures>
}

/** Declares an action of a type of nodes. */
export type DefineAction<TSchema extends Schema> = <
  const TType extends TypeName<TSchema>,
  const TName extends string,
  const TParameters extends Parameters = Record<never, never>,
  const TReturns extends TypeName<TSchema> | readonly TypeName<TSchema>[] | undefined = undefined,
  const TResult extends ResultFields | undefined = undefined,
  const TFailures extends readonly string[] | undefined = undefined,
  TPolicy extends Policy | Rule | 'anyone' = Policy | 'anyone',
  TValidator extends StandardSchema = StandardSchema,
>(
  type: TType,
  name: CheckedName<TSchema, TType, TName>,
  options: ActionOptions<TSchema, TType, TParameters, TReturns, TResult, TFailures, TPolicy, TValidator>,
) => Action<{
  type: TType
  name: TName
  parameters: TParameters
  returns: ReturnedTypes<TReturns>
  result: TResult
  failures: TFailures extends readonly string[] ? TFailures[number] : string
}>

/**
 * Returns the function that declares the actions of a schema: functions of yours that callers may run on a node or an
 * edge. `createGraph` receives the declared actions, and checks all of them at once.
 *
 * The name of an action is `update`, `delete` or a name of its own, such as `move`, which is no field or edge of the
 * type; or an edge with `.add` or `.remove`. The edges of `root` are the collections.
 *
 * @throws TypeError for a value that is not a schema.
 * @example
 * ```ts
 * import { createGraph, isViewer, parameter, socialSchema } from 'kithgraph'
 * import { actionsOf } from 'kithgraph/actions'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const action = actionsOf(socialSchema)
 * const actions = [
 *   action('user', 'feed.add', {
 *     policy: [isViewer()],
 *     returns: 'post',
 *     parameters: { message: parameter.string({ required: true, maxLength: 5000 }) },
 *     run: async ({ source, parameters, newId, write, now }) => {
 *       const id = newId('post')
 *       const fields = { message: parameters.message, from: source.id, created_time: now }
 *       const { revision } = await write([
 *         { op: 'putNode', node: { id, type: 'post', fields } },
 *         { op: 'putEdge', edge: { source: source.id, name: 'feed', target: id, time: now } },
 *       ])
 *       return { id, revision }
 *     },
 *   }),
 * ]
 * const graph = createGraph(createMemoryStore(), { actions })
 * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
 * const session = graph.session({ viewer: '4', app: 'demo' })
 * const post = await graph.callAction(session, {
 *   type: 'user',
 *   id: 'me',
 *   action: 'feed.add',
 *   parameters: { message: 'Hello' },
 *   fields: 'message',
 * })
 * console.log(post.message) // Hello
 * ```
 */
export const actionsOf = <TSchema extends AnySchema>(schema: TSchema): DefineAction<TSchema> => {
  if (!isSchema(schema))
    throw usageError('actionsOf', 'schema', 'a schema that defineSchema() returns', describeValue(schema))
  const defineAction = (type: string, name: string, options: UntypedActionOptions): Action =>
    createAction(schema, installActions, type, name, options)
  // The types of an action exist only at compile time.
  return defineAction as unknown as DefineAction<TSchema>
}
