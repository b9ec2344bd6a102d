import { unknownEdge } from '../plan/unknown-edge.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { NodeRecord, Wave, WaveAnswer } from '../store/contract.ts'
import { askNodes, NOTHING } from '../store/nothing.ts'
import { assertScopes } from './admit.ts'
import { assertId } from './call.ts'
import type { Course } from './course.ts'
import { type Case, judged, type Wanted } from './judge.ts'
import type { Query } from './query.ts'
import { isRoot, nodeMissing, placed, rootIds, rootMissing, waitsFor } from './roots.ts'
import type { Walk } from './walk.ts'

/** A question whether one node has an edge to another. */
export type EdgeQuestion = {
  readonly id: string
  readonly type: string | undefined
  readonly edge: string
  readonly target: string
}

/**
 * What to read of an edge: both of its ends and whether it exists, in one wave.
 *
 * @throws GraphError `bad_parameter` for an end that is no id.
 */
export const askEdge = (query: Query, { id, edge, target }: EdgeQuestion): Wave => {
  const { registry, appIds } = query.engine
  const ends = [id, target]
  assertId('id', id, appIds !== undefined)
  assertId('target', target, appIds !== undefined)
  const nodes = rootIds(query, ends, false)
  const [source, end] = ends.map(asked => query.resolve(asked))
  // A name that no type has is refused later, and no store is asked about it.
  const isKnown = registry.holdersOf(edge).length > 0
  if (source === undefined || end === undefined || !isKnown) return askNodes(nodes)
  return { ...NOTHING, nodes, tests: [{ source, name: edge, target: end }] }
}

/** Whether an end of the edge depends on the session, so that the token has to be read first. */
export const edgeWaits = ({ id, target }: EdgeQuestion): boolean => waitsFor(id) || waitsFor(target)

/** An edge as the viewer sees it. */
type SeenEdge = {
  readonly source: NodeRecord
  readonly declared: EdgeType
  /** Where it leads; undefined if it does not exist, or if the viewer may not see the list or the target: one as the other. */
  readonly target: NodeRecord | undefined
}

/**
 * Evaluates what was read of an edge, with one wave of tests at the most. `foresee` adds what will be judged of the target
 * later, so that its tests go out in the same wave.
 *
 * @throws GraphError `node_missing`, `viewer_missing`, `unknown_field`.
 */
export function* seenEdge(
  query: Query,
  { id, type, edge, target }: EdgeQuestion,
  answer: WaveAnswer,
  foresee?: (target: NodeRecord, source: NodeRecord, declared: EdgeType, wanted: Wanted) => void,
): Walk<SeenEdge> {
  const { registry } = query.engine
  const [record, end] = placed(query, [id, target], answer.nodes)
  if (record === undefined || !isRoot(query, id, type, record)) throw rootMissing(query, id)
  const declared = registry.edge(record.type, edge)
  const isThere = end !== undefined && isRoot(query, target, undefined, end)
  const cases: Case[] = [
    { policy: registry.type(record.type)?.policy, record },
    { policy: declared?.policy, record },
    ...(isThere ? [{ policy: registry.type(end.type)?.policy, record: end }] : []),
  ]
  const [isSeen, isListed, isEndSeen = false] = yield* judged(query.judge, cases, wanted => {
    if (isThere && declared !== undefined) foresee?.(end, record, declared, wanted)
  })
  if (!isSeen) throw nodeMissing(id)
  if (declared === undefined) throw unknownEdge(registry, record.type, edge)
  const isVisible = isListed === true && isEndSeen && answer.tests[0] === true
  return { source: record, declared, target: isVisible ? end : undefined }
}

/** Whether a node has an edge to another, as far as the viewer may see both and the list between them. */
export function* hasEdge(query: Query, question: EdgeQuestion): Course<boolean> {
  const { answer } = yield* query.open({
    ask: () => ({ prepared: undefined, wave: askEdge(query, question) }),
    waits: edgeWaits(question),
  })
  const { source, declared, target } = yield* seenEdge(query, question, answer)
  const { scope } = declared
  if (scope !== undefined) assertScopes([{ scope, name: question.edge, type: source.type }], query.session)
  return target !== undefined
}
