import type { PublicId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectOutput } from '../schema/field-inference.ts'
import type { CheckedFields } from '../schema/inference/checked-fields.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'
import type { ParametersInput, UntypedParameters } from '../schema/inference/parameters.ts'
import type { NodeParent, SourceTypeName } from '../schema/inference/parent.ts'
import type { FieldsResult } from '../schema/inference/result.ts'
import type { Simplify } from '../schema/inference/simplify.ts'
import type { Parameters } from '../schema/parameter.ts'
import type { Schema } from '../schema/schema.ts'
import type { CallActionOptions } from './call-action-options.ts'
import type { Token } from './read-options.ts'
import type { RequireParameters } from './read-types.ts'

/** The fields of a result that is not a node, by name. */
export type ResultFields = { readonly [name: string]: Field }

/** The type information of an action. It does not exist at run time. */
export type ActionTypeInfo = {
  type: string
  name: string
  parameters: Parameters
  /** The types of the node in the result, or `never` if the result names no node. */
  returns: string
  /** The fields of the result, or `undefined` if it has none. */
  result: ResultFields | undefined
  /** The declared failures, or `string` if the action declares none. */
  failures: string
}

/** A declared action, as the types of calls and the descriptions of a graph use it. */
export type DeclaredAction<TInfo extends ActionTypeInfo = ActionTypeInfo> = {
  /** The type of the source. */
  readonly type: string
  /** `update`, `delete`, `edge.add`, `edge.remove` or a name of its own. */
  readonly name: string
  readonly description: string
  readonly scope: string | undefined
  readonly parameters: Parameters
  /** The types of the node in the result, or `undefined` if the result names no node. */
  readonly returns: readonly string[] | undefined
  /** The fields of the result, or `undefined` if it has none. */
  readonly result: ResultFields | undefined
  /** The failures that the action reports, or `undefined` if it may report any. */
  readonly failures: readonly string[] | undefined
  /** Whether the action accepts a key. */
  readonly idempotent: boolean
  readonly '~types'?: TInfo
}

type InfoOf<TAction> = TAction extends { readonly '~types'?: infer TInfo extends ActionTypeInfo }
  ? TInfo
  : never

/** The actions of a type. */
export type InfoOn<TAction, TType> = Extract<InfoOf<TAction>, { type: TType }>

type IsUnion<TText, TAll = TText> = [TText] extends [never]
  ? false
  : TText extends unknown
    ? [TAll] extends [TText]
      ? false
      : true
    : never

/** The types that the source of a call may have. */
type CallTypeName<TSchema extends Schema, TAction, TId, TType> = TType extends string
  ? TType
  : TId extends 'me' | 'root'
    ? SourceTypeName<TSchema, TId, TType>
    : InfoOf<TAction>['type']

/** The actions that a call names. There are several if the call names no type, and several types have the action. */
type InfoOfCall<TSchema extends Schema, TAction, TId, TName, TType> = Extract<
  InfoOn<TAction, CallTypeName<TSchema, TAction, TId, TType>>,
  { name: TName }
>

/** The type of the source, or the text of an error if a call names several. */
type CheckedType<TType> = undefined extends TType
  ? TType
  : IsUnion<TType> extends true
    ? 'one type, not several: narrow the value first'
    : TType

/** Requires `type`, unless the id and the name of the action determine it. */
type RequireType<TInfo extends ActionTypeInfo, TId, TType> = TType extends string
  ? unknown
  : IsUnion<TInfo['type']> extends true
    ? { readonly type: unknown }
    : TId extends 'me' | 'root'
      ? unknown
      : { readonly type: unknown }

/** The values of the parameters of an action. Those of several actions are not checked. */
type ActionParametersInput<TInfo extends ActionTypeInfo> =
  IsUnion<TInfo['type']> extends true ? UntypedParameters | undefined : ParametersInput<TInfo['parameters']>

/** The option `fields` of an action, which needs `returns`. */
type CheckedActionFields<
  TSchema extends Schema,
  TInfo extends ActionTypeInfo,
  TFields extends FieldsInput,
> = [TInfo['returns']] extends [never]
  ? undefined
  : CheckedFields<TSchema['types'], NodeParent<TInfo['returns']>, TFields>

/** The revision of the write, which only results in-process have. A member of this name takes its place. */
type WithRevision<TResult> = 'revision' extends keyof TResult
  ? TResult
  : Simplify<TResult & { readonly revision?: string | undefined }>

/** Gives each ref of a result the type of a public id. */
type WithPublicIds<TOutput, TFields> = {
  [N in keyof TOutput]: N extends keyof TFields
    ? TFields[N] extends { readonly kind: 'ref' }
      ? PublicId
      : TOutput[N]
    : never
}

/** The result of an action: its node, the id of its node, its own fields, or whether it was carried out. */
type ActionResult<TSchema extends Schema, TInfo extends ActionTypeInfo, TFields extends FieldsInput> = [
  TInfo['returns'],
] extends [never]
  ? TInfo['result'] extends ResultFields
    ? WithRevision<WithPublicIds<ObjectOutput<TInfo['result']>, TInfo['result']>>
    : WithRevision<{ success: true }>
  : WithRevision<
      undefined extends TFields
        ? { id: PublicId }
        : FieldsResult<TSchema['types'], NodeParent<TInfo['returns']>, TFields>
    >

/** The calls of the actions of a graph. Without actions, it adds nothing to the type of the graph. */
export type ActionCalls<
  TSchema extends Schema,
  TActions extends readonly DeclaredAction[] | undefined,
  TToken = Token | Session,
> = TActions extends readonly DeclaredAction[] ? CallsActions<TSchema, TActions[number], TToken> : unknown

/** The method that runs the actions of a graph. */
export interface CallsActions<
  TSchema extends Schema,
  TAction extends DeclaredAction,
  TToken = Token | Session,
> {
  /**
   * Runs an action on a node. Returns the id of its node, or the node itself with `fields`; the fields of its
   * `result`; or `{ success: true }`. In-process, the result also has the `revision` of the write.
   *
   * @throws GraphError for the first error in this order: the token, its proof of possession, syntax and sizes;
   * `node_not_found` for a source that does not exist or that the viewer may not see; `field_not_found` and
   * `method_not_supported` for an action that does not exist; names in `fields`; missing scopes; the cost;
   * `action_denied`; `invalid_parameter` with all parameters; `action_failed` for a failure that the action reports.
   * @throws TypeError for an unknown option or type.
   * @example
   * ```ts
   * import { createGraph, isViewer, parameter, socialSchema } from 'kithgraph'
   * import { actionsOf } from 'kithgraph/actions'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const action = actionsOf(socialSchema)
   * const actions = [
   *   action('user', 'update', {
   *     policy: [isViewer()],
   *     parameters: { about: parameter.string({ required: true, maxLength: 100 }) },
   *     run: ({ source, parameters, write }) =>
   *       write([{ op: 'patchNode', id: source.id, fields: { about: parameters.about } }]),
   *   }),
   * ]
   * const graph = createGraph(createMemoryStore(), { actions })
   * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
   * const session = graph.session({ viewer: '4', app: 'demo' })
   * const result = await graph.callAction(session, { id: 'me', action: 'update', parameters: { about: 'Hi' } })
   * console.log(result.success) // true
   * ```
   */
  callAction<
    TId extends string,
    const TName extends InfoOn<TAction, CallTypeName<TSchema, TAction, TId, TType>>['name'],
    TType extends InfoOf<TAction>['type'] | undefined = undefined,
    const TFields extends FieldsInput = undefined,
  >(
    token: TToken,
    options: CallActionOptions<
      CheckedType<TType>,
      TId,
      TName,
      ActionParametersInput<InfoOfCall<TSchema, TAction, TId, TName, TType>>,
      CheckedActionFields<TSchema, InfoOfCall<TSchema, TAction, TId, TName, TType>, TFields>
    > &
      RequireType<InfoOfCall<TSchema, TAction, TId, TName, TType>, TId, TType> &
      RequireParameters<ActionParametersInput<InfoOfCall<TSchema, TAction, TId, TName, TType>>>,
  ): Promise<ActionResult<TSchema, InfoOfCall<TSchema, TAction, TId, TName, TType>, TFields>>
}
