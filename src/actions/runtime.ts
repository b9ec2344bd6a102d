import { describeValue } from '../base/describe.ts'
import { usageError } from '../base/usage-error.ts'
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
import type { CheckedResult } from './action-result.ts'
import { CallIds } from './call-ids.ts'
import { CallObserver } from './call-observer.ts'
import { carryOut, type ResultWithNode } from './carry-out.ts'
import { assertActions } from './check-actions.ts'
import { ACTION_CHECK } from './check-call.ts'
import { toActionCall } from './in-process-call.ts'
import type { ActionInput } from './prepare-call.ts'
import type { RunHost } from './run-action.ts'

/** Returns the body of a response without a node. */
const toBody = (result: CheckedResult): ActionOutput => {
  if (result.kind === 'node') return { id: result.publicId }
  return result.kind === 'fields' ? result.fields : { success: true }
}

/** Returns the result in-process, with the revision of the write. A member of this name takes its place. */
const toResult = ({ result, node = toBody(result) }: ResultWithNode<ActionOutput>): ActionOutput => {
  const { revision } = result
  return revision === undefined || 'revision' in node ? node : { ...node, revision }
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
      return toResult(await this.#call(caller, call, undefined, ObjectFormatter))
    },
  }

  async respond(
    caller: Caller,
    call: ActionCall,
    hooks: CallHooks,
    FormatterClass: Parameters<ActionRuntime['respond']>[3],
  ): Promise<string> {
    const { result, node } = await this.#call(caller, call, hooks, FormatterClass)
    return node ?? JSON.stringify(toBody(result))
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

  async #call<TForms extends ResultForms>(
    caller: Caller,
    call: ActionCall,
    hooks: CallHooks | undefined,
    FormatterClass: FormatterConstructor<TForms>,
  ): Promise<ResultWithNode<TForms['node']>> {
    const { engine } = this.#runHost
    const observer = engine.onEvent && new CallObserver(engine.onEvent)
    const { version, signal, proof, fields, unknownFields } = call
    const query = createQuery<ActionInput>(
      { ...engine, onEvent: observer?.onCheckEvent },
      'callAction',
      caller,
      { version, signal, proof, fields, unknownFields, minRevision: 'newest' },
      { call, actions: this.#actions, action: undefined },
      hooks,
    )
    try {
      const checked = await runRead(query, ACTION_CHECK)
      engine.assertOpen('callAction', caller)
      const finished = await this.#track(carryOut(this.#runHost, caller, query, checked, FormatterClass))
      observer?.report(query, undefined)
      return finished
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

const isAction = (action: DeclaredAction): action is Action => 'run' in action && 'schema' in action

/** Checks the actions of a graph, and returns their runtime. @throws TypeError with all errors of the actions. */
export const installActions: InstallActions = (engine, declared, host) => {
  const { registry } = engine
  const actions = declared.map((action, index) => {
    if (isAction(action)) return action
    throw usageError(
      'createGraph',
      `actions[${index}]`,
      'an action that actionsOf() declares',
      describeValue(action),
    )
  })
  assertActions(registry.schema, actions)
  for (const { type, policy = [] } of actions) registry.ruleEdges.addPolicy(registry.schema, type, policy)
  const write = createDigestedWrite(engine)
  const callIds = new CallIds(engine.deriveKey)
  return new Runtime({ engine, host, write, callIds }, new ActionRegistry(registry, actions))
}
