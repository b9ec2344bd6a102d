import type { Awaitable } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import type { GraphError } from '../base/errors.ts'
import type { RawId } from '../base/ids.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'
import type { ActionHost } from '../execute/action-runtime.ts'
import type { Engine } from '../execute/engine.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import { idPrefixOf } from '../schema/id-prefixes.ts'
import { computeDigest } from '../write/batch-id.ts'
import type { IdentifiedWrite } from '../write/writer.ts'
import type { RunContext } from './action.ts'
import { ActionWriter } from './action-writer.ts'
import type { CallIds } from './call-ids.ts'
import type { CheckedCall } from './check-call.ts'
import { mapNodes } from './parse-values.ts'
import { runTimeoutError, toRunError } from './run-errors.ts'
import { toStoredNode } from './stored-node.ts'

/** The parts of a graph that a run uses. */
export type RunHost = {
  readonly engine: Engine
  readonly host: ActionHost
  readonly write: IdentifiedWrite
  readonly callIds: CallIds
}

/** Creates the function that returns the ids of new nodes. */
const createNewId = ({ engine, callIds }: RunHost, callId: string): ((type: string) => RawId) => {
  const { schema, ids } = engine.registry
  const countsByPrefix = new Map<string, number>()
  return type => {
    if (type === ROOT_TYPE || !Object.hasOwn(schema.types, type))
      throw usageError('newId', 'type', formatChoices(Object.keys(schema.types)), describeValue(type))
    const prefix = idPrefixOf(schema.types, type)
    const count = countsByPrefix.get(prefix) ?? 0
    countsByPrefix.set(prefix, count + 1)
    return callIds.createNodeId(ids, prefix, callId, count)
  }
}

/** Settles like the promise, or rejects at the time limit. */
const settleWithin = <TResult>(
  start: () => Awaitable<TResult>,
  limitMs: number,
  onLimit: () => GraphError,
): Promise<TResult> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onLimit()), limitMs)
    // An error that `start` throws rejects the promise too.
    const settling = (async () => start())()
    settling.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/**
 * Calls `run`, and returns its result. Until it ends, the graph accepts its session in place of a token.
 *
 * @throws GraphError for every error.
 */
export const runAction = async (
  runHost: RunHost,
  { action, source, values, session, now }: CheckedCall,
  key: string | undefined,
): Promise<unknown> => {
  const { engine, host, write, callIds } = runHost
  const { registry, limits } = engine
  const hasKey = key !== undefined
  const callId = callIds.createCallId({
    session,
    type: action.type,
    action: action.name,
    source: source.id,
    key,
  })
  const digest = computeDigest([mapNodes(values, ({ record }) => record.id)])
  const controller = new AbortController()
  const { signal } = controller
  const lent = host.lendSession(session)
  const writerOptions = { engine, write, session: lent.session, signal, callId, digest, hasKey }
  const writer = new ActionWriter({ ...writerOptions, isIdempotent: action.idempotent })
  const context: RunContext = {
    source: toStoredNode(registry, source),
    parameters: mapNodes(values, ({ record }) => toStoredNode(registry, record)),
    session: lent.session,
    graph: host.graph(),
    write: writer.write,
    newId: createNewId(runHost, callId),
    callId,
    signal,
    now,
  }
  const abort = (): GraphError => {
    const error = runTimeoutError()
    controller.abort(error)
    return error
  }
  try {
    return await settleWithin(() => action.run(context), limits.actionTimeoutMs, abort)
  } catch (error) {
    throw toRunError(error, hasKey)
  } finally {
    writer.end()
    lent.end()
  }
}
