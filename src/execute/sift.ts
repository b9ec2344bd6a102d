import type { Selection, TypePlan } from '../plan/plan.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { Group } from './gathered.ts'
import { type Case, type Judge, judged, type Wanted } from './judge.ts'
import { inStretches, type Walk } from './walk.ts'

const planOf = ({ only, types }: Selection, { type }: NodeRecord): TypePlan | undefined =>
  only?.type === type ? only : types.get(type)

/** What of a node's own policy and of those of its fields and edges can be said; what else they want to know is added. */
const allowsNode = (
  judge: Judge,
  plan: TypePlan | undefined,
  node: NodeRecord,
  wanted: Wanted,
): boolean | undefined => {
  // A node without a plan is of a type that is not answered.
  if (plan === undefined) return false
  for (const guard of plan.guards) judge.foresee(guard, node, wanted)
  return judge.allows(plan.policy, node, wanted)
}

/** Adds what will be asked of some nodes, should they be sifted. */
export const foreseeNodes = (
  judge: Judge,
  nodes: readonly NodeRecord[],
  selection: Selection,
  wanted: Wanted,
): void => {
  for (const node of nodes) {
    const plan = planOf(selection, node)
    if (plan?.policy !== undefined) judge.foresee(plan.policy, node, wanted)
    for (const guard of plan?.guards ?? []) judge.foresee(guard, node, wanted)
  }
}

/**
 * Which of some nodes the viewer may see. What the policies of their fields and edges will ask goes out in the same wave.
 */
export function* sift(
  judge: Judge,
  nodes: readonly NodeRecord[],
  selection: Selection,
): Walk<readonly (boolean | undefined)[]> {
  const wanted: Wanted = []
  const verdicts: (boolean | undefined)[] = []
  yield* inStretches(nodes, node => {
    verdicts.push(allowsNode(judge, planOf(selection, node), node, wanted))
  })
  if (wanted.length === 0) return verdicts
  yield* judge.learn(wanted)
  yield* inStretches(nodes, (node, index) => {
    verdicts[index] ??= judge.allows(planOf(selection, node)?.policy, node, wanted)
  })
  return verdicts
}

/** Decides what of the records of each group may be seen: their guarded fields and edges. */
export function* judgeGuards(judge: Judge, groups: readonly Group[]): Walk<void> {
  const cases = groups.flatMap(({ plan, records }) =>
    plan.guards.flatMap(policy => records.map((record): Case => ({ policy, record }))),
  )
  const verdicts = yield* judged(judge, cases)
  let start = 0
  for (const { plan, records, guards } of groups) {
    for (let guard = 0; guard < plan.guards.length; guard++) {
      guards.push(verdicts.slice(start, start + records.length))
      start += records.length
    }
  }
}

/** By row, whether something may be seen; undefined: of every row. */
export type Openness = readonly boolean[] | undefined

const NONE: readonly boolean[] = []

/** Where what a step answers may be seen. A guard that was not judged lets nothing through. */
export const opennessOf = ({ guards }: Group, { guard }: { readonly guard: number | undefined }): Openness =>
  guard === undefined ? undefined : (guards[guard] ?? NONE)

export const isOpen = (openness: Openness, row: number): boolean =>
  openness === undefined || openness[row] === true
