import type { NodeRecord } from '../../../src/store/contract.ts'
import { findList } from './edge-parameters.ts'
import type { ParameterValues, World } from './world.ts'

/** A test of the data of an edge: the value, or the values, that each field may have. */
export type DataTest = {
  readonly [field: string]: string | number | readonly (string | number)[] | undefined
}

/** A rule about an edge between a node and the viewer. */
export type EdgeRuleSpec = {
  readonly rule: 'viewerHasEdge' | 'hasEdgeToViewer'
  readonly edge: string
  readonly of?: string | undefined
  readonly where?: DataTest | undefined
  readonly parameters?: ParameterValues | undefined
}

/** A rule as data. */
export type RuleSpec =
  | { readonly rule: 'isViewer'; readonly of?: string | undefined }
  | EdgeRuleSpec
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
  | {
      readonly rule: 'denied'
      readonly field: string
      readonly value: string | boolean
      /** Whether the field is declared, so that the rule names it in `reads`. */
      readonly isDeclared?: boolean
    }
  | { readonly rule: 'mutual'; readonly edge: string }
  | {
      readonly rule: 'broken'
      readonly isDeclared?: boolean
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
      case 'hasEdgeToViewer':
        return allowIf(this.#passesEdgeRule(spec, record))
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

  /** Looks up the edge in the stored list of its first declaration, because all declarations have the same list. */
  #passesEdgeRule(spec: EdgeRuleSpec, record: NodeRecord): boolean {
    const { schema, viewer, edges } = this.#world
    const subject = subjectOf(spec, record)
    const ref = schema.types[record.type]?.fields[spec.of ?? '']
    const subjectTypes = ref?.kind === 'ref' ? ref.targets : [record.type]
    const isFromViewer = spec.rule === 'viewerHasEdge'
    const [declaration] = (isFromViewer ? schema.viewers : subjectTypes).flatMap(
      type => schema.types[type]?.edges[spec.edge] ?? [],
    )
    const list = declaration && findList(spec.edge, declaration, spec.parameters)
    const [from, to] = isFromViewer ? [viewer, subject] : [subject, viewer]
    const found = edges.find(edge => edge.source === from && edge.name === list && edge.target === to)
    if (found === undefined) return false
    const tests = Object.entries(spec.where ?? {}).map(([field, expected]) => {
      const stored = found.data?.[field]
      return [expected].flat().some(value => value !== undefined && value === stored)
    })
    return !tests.includes(false)
  }

  #hasEdge(from: unknown, name: string, to: unknown): boolean {
    return this.#world.edges.some(edge => edge.source === from && edge.name === name && edge.target === to)
  }
}

/** Returns the id of the node that a rule is about: the record, or the node that one of its refs names. */
const subjectOf = ({ of }: { readonly of?: string | undefined }, record: NodeRecord): unknown =>
  of === undefined ? record.id : record.fields[of]
