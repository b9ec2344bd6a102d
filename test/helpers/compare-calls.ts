import { expect } from 'vitest'
import { callGraph } from './call-graph.ts'
import { type Caller, captureText } from './probes.ts'
import type { CallSpec } from './query-arbitraries.ts'

/** Expects that calls have the same results and errors on two graphs, byte by byte. */
export const compareCalls = async (
  expected: Caller,
  compared: Caller,
  calls: readonly CallSpec[],
): Promise<void> => {
  const read = async ({ graph, session }: Caller, callSpec: CallSpec): Promise<string> =>
    (await captureText(() => callGraph(graph, session, callSpec))).text
  for (const callSpec of calls) expect(await read(compared, callSpec)).toBe(await read(expected, callSpec))
}
