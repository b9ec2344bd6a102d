import type { JsonObject } from '../base/json.ts'
import { costOfRoots } from './cost.ts'
import type { Plan, Selection, Step, TypePlan } from './plan.ts'

const stepData = (step: Step): JsonObject => {
  switch (step.kind) {
    case 'id':
      return { key: 'id', kind: 'id' }
    case 'edge': {
      const { name, order, limit, summary, selection } = step.edge
      return { key: step.key, kind: 'edge', name, order, limit, summary, of: selectionData(selection) }
    }
    case 'ref':
      return { key: step.key, kind: 'ref', name: step.name, of: selectionData(step.selection) }
    case 'test':
      return { key: step.key, kind: 'test', edge: step.edge }
    case 'time':
      return { key: step.key, kind: 'time' }
    default:
      return { key: step.key, kind: step.kind, name: step.name, type: step.type.name }
  }
}

const selectionData = ({ types }: Selection): JsonObject =>
  Object.fromEntries([...types.values()].map(plan => [plan.type, plan.steps.map(stepData)]))

/** What an expression comes to, before anything is read. */
export type Explanation = {
  readonly version: string
  /** For each type that may be answered, its members in the order of the answer. */
  readonly plan: JsonObject
  /** The reads of the store, the token's own apart. */
  readonly waves: number
  /** The nodes that may be answered at the most. */
  readonly cost: number
  /** The edges that may be examined at the most. */
  readonly scanned: number
  /** The words that a token must have been granted for all of it. */
  readonly scopes: readonly string[]
}

const scopesOf = (plans: Iterable<TypePlan>): readonly string[] => [
  ...new Set(
    [...plans].flatMap(({ refused, omitted }) => [...refused, ...omitted].map(({ scope }) => scope)),
  ),
]

/**
 * Describes a plan: `edge` is the edge whose entries it is for, with the limit of its page.
 *
 * @throws GraphError for the first of its problems.
 */
export const explainPlan = (
  { selection, problems }: Plan,
  version: string,
  edge: { readonly limit: number; readonly scope: string | undefined } | undefined,
): Explanation => {
  const [problem] = problems
  if (problem !== undefined) throw problem.fault()
  const scopes = scopesOf(selection.types.values())
  return {
    version,
    plan: selectionData(selection),
    waves: 1 + selection.waves,
    cost: costOfRoots({ count: 1, edgeLimit: edge?.limit, selection }),
    scanned: edge === undefined ? selection.scanned : edge.limit * (1 + selection.scanned),
    scopes: edge?.scope === undefined ? scopes : [...new Set([edge.scope, ...scopes])],
  }
}
