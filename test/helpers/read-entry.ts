import type { Call, CallHooks } from '../../src/execute/call-hooks.ts'
import { ENGINE, engineOf } from '../../src/execute/engine.ts'
import { JsonReadApi } from '../../src/execute/read-api.ts'
import { captureOutcome } from './call-graph.ts'
import { ROOT } from './naive-graph/collections.ts'
import { parametersOf, printItems } from './naive-graph/query.ts'
import type { ParameterValues } from './naive-graph/world.ts'
import type { Caller, Probe } from './probes.ts'

const CALL_HOOKS: CallHooks = {
  linkBase: '',
  linkQuery: '',
  defaultPicture: undefined,
  deadline: undefined,
  onSession: () => undefined,
  charge: () => undefined,
  chargeScanExcess: () => undefined,
  onLength: () => undefined,
}

/** Returns the response to `/{id}/{edge}/{target}`, or `undefined` for a graph without an engine. */
export const readEntry = async (
  { graph, session }: Caller,
  {
    parameters,
    ...call
  }: Call & {
    readonly id: string
    readonly edge: string
    readonly target: string
    readonly parameters?: ParameterValues | undefined
  },
): Promise<{ readonly data: readonly { readonly id: string }[] } | undefined> => {
  if (!(ENGINE in graph)) return undefined
  const reads = new JsonReadApi(engineOf('readEntry', graph), CALL_HOOKS)
  const texts = Object.fromEntries(parametersOf({ parameters }))
  return JSON.parse(await reads.getEdgeEntry(session, { ...call, parameters: texts }))
}

/**
 * Reads single entries of the edge that a call reads, as an HTTP request does. Returns each entry, or the
 * reason of its error, as text.
 */
export const readEntries = async (
  caller: Caller,
  { callSpec, variant: { via, debug, partial } }: Probe,
  ids: readonly string[],
): Promise<readonly string[]> => {
  if (callSpec.method !== 'getEdge' || via !== 'hasEdge') return []
  const { id, edge, fields: items, style, parameters } = callSpec
  const fields = items.length === 0 ? undefined : printItems(items, style)
  const entries = ids
    .filter(target => target !== ROOT)
    .map(target =>
      captureOutcome(() => readEntry(caller, { id, edge, target, parameters, fields, debug, partial })),
    )
  return (await Promise.all(entries)).map(entry => JSON.stringify(entry))
}
