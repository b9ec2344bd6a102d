import type { ActionCall, ActionDescription, ActionOutput, ActionRuntime } from '../execute/action-runtime.ts'
import type { Caller, CallHooks } from '../execute/call-hooks.ts'
import type { InstallActions } from '../execute/install-actions.ts'
import { createQuery } from '../execute/query.ts'
import { runRead } from '../execute/run-query.ts'
import type { FormatterConstructor, ResultForms } from '../format/formatter.ts'
import { ObjectFormatter } from '../format/object-formatter.ts'
import type { DeclaredAction } from '../interface/action-calls.ts'
import type { CallActionOptions } from '../interface/call-action-options.ts'
import type { Metadata } from '../schema/metadata.ts'
import { createDigestedWrite } from '../write/writer.ts'
import type { Action } from './action.ts'
import { ActionRegistry } from './action-registry.ts'
import { CallIds } from './call-ids.ts'
import { CallObserver } from './call-observer.ts'
import { carryOut, type ResultWithNode } from './carry-out.ts'
import { assertActions } from './check-actions.ts'
import { ACTION_CHECK } from './check-call.ts'
import { toActionCall } from './in-process-call.ts'
import type { ActionInput } from './prepare-call.ts'
import type { RunHost } from './run-action.ts'

/** Returns the result in-process, with the revision of the write. A member of this name takes its place. */
const toOutput = ({ result, node = result.body }: ResultWithNode<ActionOutput>): ActionOutput => {
  const { revision } = result
  return revision === undefined || 'revision' in node ? node : { ...node, revision }
}

/** Returns the JSON text of a response. The text of a node has been measured while it was written. */
const toText = ({ result, node }: ResultWithNode<string>, hooks: CallHooks): string => {
  if (node !== undefined) return node
  const text = JSON.stringify(result.body)
  // An id and a success are short, and the caller should receive them if the action was carried out.
  if (result.node === undefined) hooks.onLength(text.length)
  return text
}

/** Checks and runs the actions of a graph. */
class Runtime implements ActionRuntime {
  readonly #runHost: RunHost
  readonly #actions: ActionRegistry
  readonly #running = new Set<Promise<unknown>>()

  constructor(runHost: RunHost, actions: ActionRegistry) {
    this.#runHost = runHost
    this.#actions = actions
  }

  readonly methods = {
    callAction: async (caller: Caller, options: CallActionOptions): Promise<ActionOutput> => {
      const call = toActionCall(this.#runHost.engine.registry, options)
      return this.#call(caller, call, undefined, ObjectFormatter, toOutput)
    },
  }

  respond(
    caller: Caller,
    call: ActionCall,
    hooks: CallHooks,
    FormatterClass: Parameters<ActionRuntime['respond']>[3],
  ): Promise<string> {
    return this.#call(caller, call, hooks, FormatterClass, finished => toText(finished, hooks))
  }

  describe(type: string): readonly ActionDescription[] {
    return this.#actions.actionsOf(type)
  }

  metadataOf(type: string): Pick<Metadata, 'actions'> {
    return { actions: this.#actions.actionsOf(type).map(({ name }) => name) }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  async #call<TForms extends ResultForms, TResponse>(
    caller: Caller,
    call: ActionCall,
    hooks: CallHooks | undefined,
    FormatterClass: FormatterConstructor<TForms>,
    toResponse: (finished: ResultWithNode<TForms['node']>) => TResponse,
  ): Promise<TResponse> {
    const { engine } = this.#runHost
    const observer = engine.onEvent && new CallObserver(engine.onEvent)
    const query = createQuery<ActionInput>(
      { ...engine, onEvent: observer?.onCheckEvent },
      'callAction',
      caller,
      // An empty expression counts as absent.
      { ...call, fields: call.fields?.length === 0 ? undefined : call.fields, minRevision: 'newest' },
      { call, actions: this.#actions, action: undefined },
      hooks,
    )
    try {
      const checked = await runRead(query, ACTION_CHECK)
      engine.assertOpen('callAction', caller)
      const carryingOut = carryOut(this.#runHost, caller, query, checked, FormatterClass)
      const response = toResponse(await this.#track(carryingOut))
      observer?.report(query, undefined)
      return response
    } catch (error) {
      observer?.report(query, error)
      throw error
    }
  }

  /** Lets `close` wait for a promise. */
  async #track<TResult>(promise: Promise<TResult>): Promise<TResult> {
    this.#running.add(promise)
    try {
      return await promise
    } finally {
      this.#running.delete(promise)
    }
  }
}

/** Whether a declared action is an {@link Action}. All are, since only `actionsOf` creates actions that bring a runtime. */
const isAction = (action: DeclaredAction): action is Action => 'run' in action && 'schema' in action

/** Checks the actions of a graph, and returns their runtime. @throws TypeError with all errors of the actions. */
export const installActions: InstallActions = (engine, declared, host) => {
  const { registry } = engine
  const actions = declared.filter(isAction)
  assertActions(registry.schema, actions)
  for (const { type, policy = [] } of actions) registry.ruleEdges.addPolicy(registry.schema, type, policy)
  const write = createDigestedWrite(engine)
  const callIds = new CallIds(engine)
  return new Runtime({ engine, host, write, callIds }, new ActionRegistry(registry, actions))
}
