import type { GraphReader } from '../contenders/graph.ts'
import type { KeyReader } from '../contenders/key-reader.ts'
import { inTurn } from '../contenders/social-readers.ts'
import { tokenKeysOf } from '../contenders/token-keys.ts'
import { compare } from '../measure/compare.ts'
import type { Bar, Finding } from '../measure/finding.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Clock } from '../measure/work-done.ts'

type HandWritten = { readonly name: string; readonly read: KeyReader; readonly bar?: Bar }

/** Times the 71-node read of a graph beside hand-written code that gets the same tokens and answers the same bytes. */
export const comparePhotos = async (
  viewers: readonly string[],
  graph: GraphReader,
  handWritten: readonly HandWritten[],
  clock?: Clock,
): Promise<readonly Finding[]> => {
  const keys = tokenKeysOf(graph, viewers)
  const ours = [graph.name, graph.getPhotos] as const
  const others = handWritten.map(({ name, read, bar }) => {
    const answer = (viewer: string) => read(keys.get(viewer) ?? '')
    return { answerer: [name, answer] as const, bar }
  })
  for (const { answerer } of others) await assertSameAnswers(viewers, ours, answerer, 'bytes')
  return compare(
    inTurn(viewers, ...ours),
    others.map(({ answerer, bar }) => ({ ...inTurn(viewers, ...answerer), bar })),
    clock,
  )
}
