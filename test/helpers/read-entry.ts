import { ENGINE, engineOf } from '../../src/execute/engine.ts'
import type { Call, CallHooks } from '../../src/execute/query.ts'
import { JsonReadApi } from '../../src/execute/read-api.ts'
import { parametersOf } from './naive-graph/query.ts'
import type { ParameterValues } from './naive-graph/world.ts'
import type { Caller } from './probes.ts'

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
