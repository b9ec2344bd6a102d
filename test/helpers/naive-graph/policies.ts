import type { NodeRecord } from '../../../src/store/contract.ts'
import type { World } from './world.ts'

/** A rule as data. */
export type RuleSpec =
  | { readonly rule: 'isViewer'; readonly of?: string | undefined }
  | {
      readonly rule: 'viewerHasEdge' | 'hasEdgeToViewer'
      readonly edge: string
      readonly of?: string | undefined
    }
  | { readonly rule: 'hasScope'; readonly scope: string }
  | { readonly rule: 'fieldEquals'; readonly field: string; readonly value: string | boolean }
  | { readonly rule: 'canSee'; readonly ref: string }
  | { readonly rule: 'anyOf' | 'allOf'; readonly members: readonly RuleSpec[] }
  | { readonly rule: 'not'; readonly member: RuleSpec }
  | OwnRuleSpec

/** A custom rule: some have no checks, one checks two edges, and one throws. */
export type OwnRuleSpec =
  | { readonly rule: 'everyone' }
  | { readonly rule: 'listed'; readonly ids: readonly string[]; readonly decision: 'allow' | 'deny' }
  | { readonly rule: 'denied'; readonly field: string; readonly value: string | boolean }
  | { readonly rule: 'mutual'; readonly edge: string }
  | {
      readonly rule: 'broken'
      readonly field: string
      readonly value: string | boolean
      readonly when: 'checks' | 'decide'
    }

export type PolicySpec = readonly RuleSpec[]

/** The error of a broken rule. */
class BrokenRuleError extends Error {}

type Decision = 'allow' | 'deny' | 'skip'

const allowIf = (holds: boolean): Decision => (holds ? 'allow' : 'skip')

/** Evaluates policies with the whole world, one record and one rule at a time. */
export class NaivePolicies {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Whether a policy of a record allows the viewer of the world. `depth` is the number of refs that `canSee` may
   * follow in a row.
   */
  allows(policy: PolicySpec | undefined, record: NodeRecord, depth = 4): boolean {
    if (policy === undefined) return true
    try {
      for (const rule of policy) {
        const decision = this.#decide(rule, record, depth)
        if (decision !== 'skip') return decision === 'allow'
      }
    } catch (error) {
      if (!(error instanceof BrokenRuleError)) throw error
    }
    return false
  }

  #decide(spec: RuleSpec, record: NodeRecord, depth: number): Decision {
    const { viewer, scopes } = this.#world
    switch (spec.rule) {
      case 'everyone':
        return 'allow'
      case 'listed':
        return spec.ids.includes(record.id) ? spec.decision : 'skip'
      case 'denied':
        return record.fields[spec.field] === spec.value ? 'deny' : 'skip'
      case 'broken':
        if (record.fields[spec.field] === spec.value) throw new BrokenRuleError()
        return 'skip'
      case 'fieldEquals':
        return allowIf(record.fields[spec.field] === spec.value)
      case 'hasScope':
        return allowIf(scopes.includes(spec.scope))
      case 'isViewer':
        return allowIf(viewer !== undefined && subjectOf(spec, record) === viewer)
      case 'viewerHasEdge':
        return allowIf(this.#hasEdge(viewer, spec.edge, subjectOf(spec, record)))
      case 'hasEdgeToViewer':
        return allowIf(this.#hasEdge(subjectOf(spec, record), spec.edge, viewer))
      case 'mutual':
        return allowIf(
          this.#hasEdge(viewer, spec.edge, record.id) && this.#hasEdge(record.id, spec.edge, viewer),
        )
      case 'anyOf':
        return allowIf(spec.members.map(member => this.#decide(member, record, depth)).includes('allow'))
      case 'allOf':
        return allowIf(
          spec.members.map(member => this.#decide(member, record, depth)).every(one => one === 'allow'),
        )
      case 'not':
        return this.#decide(spec.member, record, depth) === 'allow' ? 'deny' : 'allow'
      case 'canSee':
        return allowIf(depth > 0 && this.#canSee(record, spec.ref, depth - 1))
    }
  }

  #canSee(record: NodeRecord, ref: string, depth: number): boolean {
    const { nodes, schema } = this.#world
    const field = schema.types[record.type]?.fields[ref]
    const target = nodes.find(({ id }) => id === record.fields[ref])
    const type = schema.types[target?.type ?? '']
    if (field?.kind !== 'ref' || target === undefined || type === undefined) return false
    return field.targets.includes(target.type) && this.allows(type.policy, target, depth)
  }

  #hasEdge(from: unknown, name: string, to: unknown): boolean {
    return this.#world.edges.some(edge => edge.source === from && edge.name === name && edge.target === to)
  }
}

/** Returns the id of the node that a rule is about: the record, or the node that one of its refs names. */
const subjectOf = ({ of }: { readonly of?: string | undefined }, record: NodeRecord): unknown =>
  of === undefined ? record.id : record.fields[of]
