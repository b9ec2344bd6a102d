import { unknownName } from '../plan/unknown-name.ts'
import { NOTHING } from '../store/nothing.ts'
import { assertScopes, contextOf } from './admit.ts'
import { assertId } from './call.ts'
import type { Query } from './query.ts'
import { rootRecord } from './roots.ts'

/** A question whether one node has an edge to another. */
export type EdgeQuestion = {
  readonly id: string
  readonly type: string | undefined
  readonly edge: string
  readonly target: string
}

/** Whether a node has an edge to another. The node itself must be there; the target need not. */
export const hasEdge = async (query: Query, { id, type, edge, target }: EdgeQuestion): Promise<boolean> => {
  const { registry } = query.engine
  const { answer } = await query.open({
    prepare() {
      assertId('id', id)
      assertId('target', target)
    },
    wave: () => {
      const source = query.resolve(id)
      const test = { source, name: edge, target: query.resolve(target) }
      // A name that no type has is refused below, and no store is asked about it.
      return { ...NOTHING, nodes: [source], tests: registry.holdersOf(edge).length === 0 ? [] : [test] }
    },
    waits: id === 'me' || target === 'me',
  })
  const record = rootRecord(query, id, type, answer.nodes[0])
  const declared = registry.edge(record.type, edge)
  if (declared === undefined) throw unknownName(registry, [record.type], undefined, edge)
  const { scope } = declared
  if (scope !== undefined) assertScopes([{ scope, name: edge, type: record.type }], contextOf(query))
  return answer.tests[0] ?? false
}
