import type { FormatterConstructor, ResultForms } from '../format/formatter.ts'
import type { DeclaredAction } from '../interface/action-calls.ts'
import type { CallActionOptions } from '../interface/call-action-options.ts'
import type { Metadata } from '../schema/metadata.ts'
import type { Parameters } from '../schema/parameter.ts'
import type { Call, Caller, CallHooks } from './call-hooks.ts'

/** What a call names: in-process an action, and in a request to a handler the part of the path after the id. */
export type ActionTarget =
  | { readonly kind: 'action'; readonly name: string }
  | {
      readonly kind: 'path'
      /** `add` for a POST, `remove` for a DELETE. */
      readonly operation: 'add' | 'remove'
      /** The name of an edge or an action, or `undefined` for the node itself. */
      readonly name: string | undefined
    }

/** The call of an action, in-process or by a handler. */
export type ActionCall = Pick<Call, 'fields' | 'version' | 'signal' | 'proof' | 'debug' | 'unknownFields'> & {
  /** The id of the source, or `me` for the viewer. */
  readonly id: string
  /** The type of the source, if the call requires one. */
  readonly type?: string | undefined
  readonly target: ActionTarget
  /**
   * The values by name. In a request to a handler, a string may be the text of another value, as in a query, a form or
   * a JSON body.
   */
  readonly parameters: ReadonlyMap<string, unknown>
  readonly idempotencyKey?: string | undefined
}

/** The description of an action, for metadata and OpenAPI. */
export type ActionDescription = {
  readonly type: string
  /** `update`, `delete`, `edge.add`, `edge.remove` or a name of its own. */
  readonly name: string
  readonly description: string
  readonly scope: string | undefined
  readonly parameters: Parameters
  /** The types of the node in the result, or `undefined` if the result names no node. */
  readonly returns: readonly string[] | undefined
  /** The fields of the result, or `undefined` if it has none. */
  readonly result: DeclaredAction['result']
  /** The failures that the action reports, or `undefined` if it may report any. */
  readonly failures: DeclaredAction['failures']
  /** Whether the action accepts a key. */
  readonly idempotent: boolean
}

/** The result of an action in-process: its members by name. */
export type ActionOutput = { readonly [name: string]: unknown }

/** The forms of results as JSON text. */
type JsonForms = ResultForms & { readonly node: string }

/** The actions of a graph. */
export type ActionRuntime = {
  /** The methods that a graph with actions has. They do not need `this`. */
  readonly methods: {
    /**
     * Checks and runs an action, and returns its result with its revision.
     *
     * @throws GraphError for every error of the call, the store or the action; TypeError for an incorrect option.
     */
    callAction(caller: Caller, options: CallActionOptions): Promise<ActionOutput>
  }
  /**
   * Checks and runs an action for a handler, and returns the JSON text of the response, without the revision. Charges
   * the call with the hooks, before the first read under a policy.
   *
   * @throws GraphError for every error.
   */
  respond(
    caller: Caller,
    call: ActionCall,
    hooks: CallHooks,
    FormatterClass: FormatterConstructor<JsonForms>,
  ): Promise<string>
  /** Returns the actions of a type, in the order of their declaration. */
  describe(type: string): readonly ActionDescription[]
  /** Returns what the actions of a type add to the metadata of its nodes: their names. */
  metadataOf(type: string): Pick<Metadata, 'actions'>
  /** Waits for the running actions, at most until their time limit. */
  close(): Promise<void>
}
