import { unknownEdge } from '../plan/unknown-edge.ts'
import { NOTHING } from '../store/nothing.ts'
import { assertScopes } from './admit.ts'
import { assertId } from './call.ts'
import type { Course } from './course.ts'
import { type Case, judged } from './judge.ts'
import type { Query } from './query.ts'
import { isRoot, nodeMissing, placed, rootIds, rootMissing, waitsFor } from './roots.ts'

/** A question whether one node has an edge to another. */
export type EdgeQuestion = {
  readonly id: string
  readonly type: string | undefined
  readonly edge: string
  readonly target: string
}

/** Whether a node has an edge to another, as far as the viewer may see both and the list between them. */
export function* hasEdge(query: Query, { id, type, edge, target }: EdgeQuestion): Course<boolean> {
  const { registry, appIds } = query.engine
  const ends = [id, target]
  const { answer } = yield* query.open({
    prepare() {
      assertId('id', id, appIds !== undefined)
      assertId('target', target, appIds !== undefined)
    },
    wave() {
      const nodes = rootIds(query, ends, false)
      const [source, end] = ends.map(asked => query.resolve(asked))
      // A name that no type has is refused below, and no store is asked about it.
      if (source === undefined || end === undefined || registry.holdersOf(edge).length === 0)
        return { ...NOTHING, nodes }
      return { ...NOTHING, nodes, tests: [{ source, name: edge, target: end }] }
    },
    waits: ends.some(waitsFor),
  })
  const [record, end] = placed(query, ends, answer.nodes)
  if (record === undefined || !isRoot(query, id, type, record)) throw rootMissing(query, id)
  const declared = registry.edge(record.type, edge)
  const isThere = end !== undefined && isRoot(query, target, undefined, end)
  const cases: Case[] = [
    { policy: registry.type(record.type)?.policy, record },
    { policy: declared?.policy, record },
    ...(isThere ? [{ policy: registry.type(end.type)?.policy, record: end }] : []),
  ]
  const [isSeen, isListed, isEndSeen = false] = yield* judged(query.judge, cases)
  if (!isSeen) throw nodeMissing(id)
  if (declared === undefined) throw unknownEdge(registry, record.type, edge)
  const { scope } = declared
  if (scope !== undefined) assertScopes([{ scope, name: edge, type: record.type }], query.session)
  return isListed === true && isEndSeen && answer.tests[0] === true
}
