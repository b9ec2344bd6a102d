import type { Awaitable } from '../base/awaitable.ts'
import type { RawId } from '../base/ids.ts'
import type { JsonValue } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import type { Graph } from '../graph-interface.ts'
import type { ResultFields } from '../interface/action-calls.ts'
import type { ObjectInput } from '../schema/field-inference.ts'
import type { Mutation } from '../schema/inference/mutation.ts'
import type { TypeInfoOf, TypeName } from '../schema/inference/parent.ts'
import type { Parameters, ValuesOf } from '../schema/parameter.ts'
import type { Schema } from '../schema/schema.ts'
import type { WriteResult } from '../write/commit.ts'
import type { Fail } from './failures.ts'

/** The stored form of a value that a write accepts: a time is a number of milliseconds, a ref an id. */
type StoredValue<TInput> = unknown extends TInput
  ? JsonValue
  : Date extends TInput
    ? number
    : TInput extends string | number | boolean | null
      ? TInput
      : TInput extends readonly (infer TItem)[]
        ? readonly StoredValue<TItem>[]
        : TInput extends object
          ? { readonly [N in keyof TInput]: StoredValue<TInput[N]> }
          : TInput

type StoredFields<TSchema extends Schema, TType extends TypeName<TSchema>> = {
  readonly [N in keyof TSchema['types'][TType]['fields'] as TypeInfoOf<
    TSchema['types'][TType]['fields'][N]
  > extends { input: never }
    ? never
    : N]?: TypeInfoOf<TSchema['types'][TType]['fields'][N]> extends { input: infer TInput }
    ? StoredValue<TInput>
    : never
}

/**
 * The stored record of a node, with all its fields, also those that the viewer may not see. Values have their stored
 * form, and values that are not valid are left out.
 */
export type SourceNode<TSchema extends Schema, TType extends TypeName<TSchema>> = TType extends unknown
  ? { readonly id: RawId; readonly type: TType; readonly fields: StoredFields<TSchema, TType> }
  : never

/** Replaces the nodes in the values of parameters by their records. */
type WithRecords<TSchema extends Schema, TValue> = TValue extends { readonly '~node': infer TType }
  ? SourceNode<TSchema, TType & TypeName<TSchema>>
  : TValue extends readonly (infer TItem)[]
    ? readonly WithRecords<TSchema, TItem>[]
    : TValue extends object
      ? { readonly [N in keyof TValue]: WithRecords<TSchema, TValue[N]> }
      : TValue

/** The values of the parameters of an action, as `run` receives them. */
export type ActionParameters<TSchema extends Schema, TParameters extends Parameters> = WithRecords<
  TSchema,
  ValuesOf<TParameters>
>

/** What `run` receives. */
export interface ActionContext<
  TSchema extends Schema,
  TType extends TypeName<TSchema>,
  TParameters extends Parameters,
  TFailure extends string = never,
> {
  /**
   * The stored record of the node that the action runs on. A field may be `undefined`, also a required one, because values
   * that are not valid are left out.
   */
  readonly source: SourceNode<TSchema, TType>
  /** The parsed parameters by name, with records in place of nodes. */
  readonly parameters: ActionParameters<TSchema, TParameters>
  /** The session of the call. Until `run` ends, `graph` accepts it in place of a token, and reads as the viewer. */
  readonly session: Session
  /** The graph that runs the action. With `session`, it reads what the viewer may see. */
  readonly graph: Graph<TSchema>
  /**
   * Writes a batch, like `graph.write`, with an id of this call: a repeated call writes it once. The ids count the
   * writes of a run that were accepted. So each run makes the same number of writes in the same order, and leaves none
   * out that seems done: the next one would have its id, and would not be written.
   */
  readonly write: (mutations: readonly Mutation<TSchema>[]) => Promise<WriteResult>
  /**
   * Returns the id of a new node of a type. The first, second and third id of a type are the same for each repetition of
   * the call with its key.
   */
  readonly newId: (type: TypeName<TSchema>) => RawId
  /** Throws an error with a failure that the action declares. `return fail('full')` also ends the function. */
  readonly fail: Fail<TFailure>
  /** The id of the call, a UUID: the same for each repetition of the call with its key. */
  readonly callId: string
  /** Aborts at the time limit of `run`. */
  readonly signal: AbortSignal
  /** The time of the call in milliseconds since the epoch. A repetition of the call has its own time. */
  readonly now: number
}

/** The type names of `returns`. */
export type ReturnedTypes<TReturns> = TReturns extends readonly (infer TType extends string)[]
  ? TType
  : TReturns extends string
    ? TReturns
    : never

type Revision = {
  /** The revision of the write that a read after the action must see. */
  readonly revision?: string | undefined
}

/** The words of `failures`, or the text of the error of `fail` without them. */
type FailureWords<TFailures> = TFailures extends readonly (infer TFailure extends string)[]
  ? TFailure
  : `list the word in 'failures' of the action`

/** What an action without `returns` and `result` returns. The texts are those of errors. */
type NoResult = Revision & {
  readonly id?: `declare 'returns', the type of this node`
  readonly result?: `declare 'result', the fields of this object`
}

/**
 * What `run` returns: a node, the fields of `result`, or nothing. `returns` with a misspelt type has an error of its own,
 * so `run` may then return anything.
 */
export type RunResult<TReturns, TResult> = [TReturns] extends [string]
  ? Revision & { readonly id: RawId }
  : [TReturns] extends [readonly string[]]
    ? Revision & { readonly id: RawId; readonly type: TReturns[number] }
    : [TReturns] extends [undefined]
      ? [TResult] extends [ResultFields]
        ? Revision & { readonly result: ObjectInput<TResult> }
        : // biome-ignore lint/suspicious/noConfusingVoidType: `run` may return nothing
          NoResult | undefined | void
      : unknown

/** The function of an action. With `Promise`, compile errors name the value that an async function returns. */
export type Run<
  TSchema extends Schema,
  TType extends TypeName<TSchema>,
  TParameters extends Parameters,
  TReturns,
  TResult,
  TFailures = undefined,
> = (
  context: ActionContext<TSchema, TType, TParameters, FailureWords<TFailures>>,
) => Awaitable<RunResult<TReturns, TResult>> | Promise<RunResult<TReturns, TResult>>
