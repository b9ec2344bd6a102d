import type { Plan } from '../plan/plan.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { EdgeSlice, WaveAnswer } from '../store/contract.ts'
import type { EdgesCall, EdgesInput } from './edges-call.ts'
import { type Case, judged } from './judge.ts'
import type { Query } from './query.ts'
import { foundRoots, judgeRoots, presentRoots, type Root } from './roots.ts'
import { foreseeNodes } from './sift.ts'
import type { Walk } from './walk.ts'

/** A source, and whether the policy of the edge lets the viewer see its list. */
export type OpenedRoot = Root & { readonly isOpen: boolean }

/** What is asked of the entries of the edge of a source. */
export const entriesPlan = (
  { engine: { planner, registry }, call: { version } }: Query,
  { asked }: EdgesCall,
  source: { readonly source: string; readonly name: string; readonly type: EdgeType },
): Plan =>
  planner.plan(asked, { version: registry.version(version), types: source.type.targets, edge: source })

/** The sources that the viewer may see. */
export function* sourcesOf(
  query: Query,
  input: EdgesInput,
  call: EdgesCall,
  nodes: WaveAnswer['nodes'],
  slices: ReadonlyMap<string, EdgeSlice>,
): Walk<OpenedRoot[]> {
  const found = foundRoots(query, call.ids, input.type, nodes)
  if (query.engine.registry.isPoliced) return yield* judgeSources(query, input, call, found, slices)
  const roots = presentRoots(query, call.ids, input.several, found)
  return roots.map(({ id, record }) => ({ id, record, isOpen: true }))
}

/** Leaves out whom the viewer may not see. What was read of their lists already is foreseen, to be judged without a wave. */
function* judgeSources(
  query: Query,
  input: EdgesInput,
  call: EdgesCall,
  found: readonly (Root | undefined)[],
  slices: ReadonlyMap<string, EdgeSlice>,
): Walk<OpenedRoot[]> {
  const {
    judge,
    engine: { registry },
  } = query
  const seen = yield* judgeRoots(query, found, ({ id, record }, wanted) => {
    const type = registry.edge(record.type, input.edge)
    if (type?.policy !== undefined) judge.foresee(type.policy, record, wanted)
    const read = type === undefined ? [] : (slices.get(id)?.entries ?? [])
    if (type === undefined || read.length === 0) return
    const { selection } = entriesPlan(query, call, { source: record.type, name: input.edge, type })
    foreseeNodes(
      judge,
      read.map(({ node }) => node),
      selection,
      wanted,
    )
  })
  const roots = presentRoots(query, call.ids, input.several, seen)
  const cases = roots.map(
    ({ record }): Case => ({ policy: registry.edge(record.type, input.edge)?.policy, record }),
  )
  const verdicts = yield* judged(judge, cases)
  return roots.map((root, index) => ({ ...root, isOpen: verdicts[index] === true }))
}
