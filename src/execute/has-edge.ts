import { isPromiseLike } from '../base/awaitable.ts'
import { unknownEdge } from '../plan/unknown-edge.ts'
import type { Wave } from '../store/contract.ts'
import { askNodes, NOTHING } from '../store/nothing.ts'
import { assertScopes } from './admit.ts'
import { assertId } from './call.ts'
import { type Course, settled } from './course.ts'
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

const waveOf = (query: Query, ends: readonly string[], edge: string): Wave => {
  const nodes = rootIds(query, ends, false)
  const [source, target] = ends.map(asked => query.resolve(asked))
  // A name that no type has is refused below, and no store is asked about it.
  const isKnown = query.engine.registry.holdersOf(edge).length > 0
  if (source === undefined || target === undefined || !isKnown) return askNodes(nodes)
  return { ...NOTHING, nodes, tests: [{ source, name: edge, target }] }
}

/** Both nodes are roots: they cost the same whether they are there, hidden or missing. */
const COST = 2

/** Whether a node has an edge to another, as far as the viewer may see both and the list between them. */
export function* hasEdge(query: Query, { id, type, edge, target }: EdgeQuestion): Course<boolean> {
  const { registry, appIds } = query.engine
  const ends = [id, target]
  const { answer } = yield* query.open({
    ask() {
      assertId('id', id, appIds !== undefined)
      assertId('target', target, appIds !== undefined)
      return { prepared: undefined, wave: waveOf(query, ends, edge) }
    },
    waits: ends.some(waitsFor),
  })
  const charged = query.host?.charge(COST, query.session)
  if (charged !== undefined && isPromiseLike(charged)) yield* settled(charged)
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
