import type { GraphReader } from '../contenders/graph.ts'
import type { KeyReader } from '../contenders/key-reader.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import { createTokenKeys } from '../contenders/token-keys.ts'
import { compare } from '../measure/compare.ts'
import type { Bar, Finding } from '../measure/finding.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Clock } from '../measure/work-done.ts'

type HandWritten = { readonly name: string; readonly read: KeyReader; readonly bar?: Bar }

/**
 * Measures the 71-node read of a graph and of hand-written code with the same tokens and the same resulting
 * bytes.
 */
export const comparePhotos = async (
  viewers: readonly string[],
  graph: GraphReader,
  handWritten: readonly HandWritten[],
  clock?: Clock,
): Promise<readonly Finding[]> => {
  const keys = createTokenKeys(graph, viewers)
  const ours = [graph.name, graph.getPhotos] as const
  const others = handWritten.map(({ name, read, bar }) => {
    const result = (viewer: string) => read(keys.get(viewer) ?? '')
    return { answerer: [name, result] as const, bar }
  })
  for (const { answerer: readPhotos } of others) await assertSameResults(viewers, ours, readPhotos, 'bytes')
  return compare(
    readInTurn(viewers, ...ours),
    others.map(({ answerer, bar }) => ({ ...readInTurn(viewers, ...answerer), bar })),
    clock,
  )
}
