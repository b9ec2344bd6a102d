import type { Awaitable } from '../base/awaitable.ts'
import type { Caller, CallHooks } from '../execute/call-hooks.ts'
import type { Engine } from '../execute/engine.ts'
import { contextOf, createQuery, type Query } from '../execute/query.ts'
import { NODE_READ } from '../execute/read-nodes.ts'
import { runQuery } from '../execute/run-query.ts'
import type { FormatterConstructor, ResultForms } from '../format/formatter.ts'
import { assertInTime } from '../store/settle-in-time.ts'
import { type CheckedResult, checkResult, type ReturnedNode } from './action-result.ts'
import type { CheckedCall } from './check-call.ts'
import type { ActionInput } from './prepare-call.ts'
import { type RunHost, runAction } from './run-action.ts'
import { badResultError, withOriginalResponse } from './run-errors.ts'

/** The result of an action, and its node if the call has `fields`. */
export type ResultWithNode<TNode> = { readonly result: CheckedResult; readonly node: TNode | undefined }

/**
 * Calls `run` and checks its result. A store that never waits does not notice the time limit of the checks, so it is
 * compared here.
 *
 * @throws GraphError for every error.
 */
const runAndCheck = async (
  runHost: RunHost,
  query: Query<ActionInput>,
  checked: CheckedCall,
): Promise<CheckedResult> => {
  assertInTime(query.readOptions)
  query.hooks?.onRun?.()
  const { token, input } = query
  const received = await runAction(runHost, checked, { key: input.call.idempotencyKey, token })
  try {
    return checkResult(contextOf(query), checked.action, received)
  } catch (cause) {
    throw runHost.engine.masking.maskError(badResultError(cause), token)
  }
}

/** The read after an action belongs to its call, so it costs nothing more. */
const withoutCharge = (hooks: CallHooks | undefined): CallHooks | undefined =>
  hooks && { ...hooks, charge: () => undefined }

/** Reads the node of a result with the token of the caller. A graph that is being closed still reads it. */
const readNode = <TForms extends ResultForms>(
  engine: Engine,
  caller: Caller,
  { call, hooks }: Query<ActionInput>,
  { id, type }: ReturnedNode,
  revision: string | undefined,
  FormatterClass: FormatterConstructor<TForms>,
): Awaitable<TForms['node']> => {
  const query = createQuery(
    { ...engine, assertOpen: () => undefined },
    'getNode',
    caller,
    { ...call, minRevision: revision ?? 'newest' },
    { id, type },
    withoutCharge(hooks),
  )
  assertInTime(query.readOptions)
  return runQuery(query, NODE_READ, FormatterClass)
}

/** Runs an action whose call has passed all checks, and reads its node. @throws GraphError for every error. */
export const carryOut = async <TForms extends ResultForms>(
  runHost: RunHost,
  caller: Caller,
  query: Query<ActionInput>,
  checked: CheckedCall,
  FormatterClass: FormatterConstructor<TForms>,
): Promise<ResultWithNode<TForms['node']>> => {
  const { engine } = runHost
  const result = await runAndCheck(runHost, query, checked)
  const { node, revision } = result
  if (node === undefined || query.call.fields === undefined) return { result, node: undefined }
  try {
    return { result, node: await readNode(engine, caller, query, node, revision, FormatterClass) }
  } catch (error) {
    throw withOriginalResponse(error, { id: node.id, revision })
  }
}
