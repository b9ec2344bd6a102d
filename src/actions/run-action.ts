import type { GraphError } from '../base/errors.ts'
import { bypassesPolicies, markAsBypassing, type Session } from '../base/session.ts'
import type { Engine } from '../execute/engine.ts'
import type { ActionHost } from '../execute/install-actions.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import { computeDigest } from '../write/batch-id.ts'
import type { DigestedWrite } from '../write/writer.ts'
import type { RunContext } from './action.ts'
import { ActionWriter } from './action-writer.ts'
import type { CallIds } from './call-ids.ts'
import type { CheckedCall } from './check-call.ts'
import { createFail } from './failures.ts'
import { mapNodes } from './given-node.ts'
import { runTimeoutError, toRunError } from './run-errors.ts'
import { toStoredNode } from './stored-node.ts'

/** The parts of a graph that a run uses. */
export type RunHost = {
  readonly engine: Engine
  readonly host: ActionHost
  readonly write: DigestedWrite
  readonly callIds: CallIds
}

/** Returns a copy of a session, so that the end of a run ends no other run of the same session. */
const copySession = (session: Session): Session => {
  const copy = { ...session }
  if (bypassesPolicies(session)) markAsBypassing(copy)
  return Object.freeze(copy)
}

/** Creates what `run` receives, and the writer that ends with it. */
const createRun = (
  runHost: RunHost,
  { action, source, values, now }: CheckedCall,
  key: string | undefined,
  session: Session,
  signal: AbortSignal,
): { readonly context: RunContext; readonly writer: ActionWriter } => {
  const { engine, host, write, callIds } = runHost
  const callId = callIds.createCallId(session, action, source.id, key)
  const digest = computeDigest(mapNodes(values, record => record.id))
  const writer = new ActionWriter({
    engine,
    write,
    session,
    signal,
    callId,
    digest,
    isIdempotent: action.idempotent,
  })
  const context = {
    source: toStoredNode(engine.registry, source),
    parameters: mapNodes(values, record => toStoredNode(engine.registry, record)),
    session,
    graph: host.graph(),
    write: writer.write,
    newId: callIds.createNewId(callId),
    fail: createFail(action.failures),
    callId,
    signal,
    now,
  }
  return { context, writer }
}

/**
 * Calls `run`, and returns its result. Until it ends, the graph accepts its session in place of a token.
 *
 * @throws GraphError for every error.
 */
export const runAction = async (
  runHost: RunHost,
  checked: CheckedCall,
  { key, token }: { readonly key: string | undefined; readonly token: string | undefined },
): Promise<unknown> => {
  const { engine, host } = runHost
  const controller = new AbortController()
  const session = copySession(checked.session)
  const { context, writer } = createRun(runHost, checked, key, session, controller.signal)
  const toError = (thrown: unknown): GraphError =>
    toRunError(thrown, checked.action.failures, key !== undefined, error =>
      engine.masking.maskError(error, token),
    )
  const abort = (): GraphError => {
    const error = runTimeoutError()
    controller.abort(error)
    return toError(error)
  }
  host.sessions.lent.add(session)
  try {
    // An error that `run` throws at once rejects the promise too.
    const running = (async () => checked.action.run(context))()
    const deadline = Date.now() + engine.limits.actionTimeoutMs
    return await settleInTime(running, undefined, deadline, toError, abort)
  } finally {
    writer.end()
    host.sessions.lent.delete(session)
  }
}
