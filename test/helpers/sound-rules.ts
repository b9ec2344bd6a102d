import type { PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import type { SchemaSpec } from './naive-graph/world.ts'
import { IDS } from './schema-arbitraries.ts'

type EdgeRule = Extract<RuleSpec, { readonly rule: 'viewerHasEdge' | 'hasEdgeToViewer' }>

/** Makes policies that speak only of what is there, as a schema requires of rules that it can look into. */
export class SoundRules {
  readonly #schema: SchemaSpec

  constructor(schema: SchemaSpec) {
    this.#schema = schema
  }

  /** The policy on nodes of a type, or on what they have. */
  policy(type: string, policy: PolicySpec | undefined): PolicySpec | undefined {
    return policy?.map(rule => this.#rule(type, rule))
  }

  #rule(type: string, rule: RuleSpec): RuleSpec {
    switch (rule.rule) {
      case 'isViewer':
        return { ...rule, of: this.#refOf(type, rule.of) }
      case 'viewerHasEdge':
      case 'hasEdgeToViewer':
        return this.#edgeRule(type, { ...rule, of: this.#refOf(type, rule.of) })
      case 'fieldEquals':
        return this.#schema.types[type]?.fields[rule.field]?.kind === 'value'
          ? rule
          : { rule: 'listed', ids: IDS.slice(0, 4), decision: 'allow' }
      case 'anyOf':
      case 'allOf':
        return { ...rule, members: rule.members.map(member => this.#rule(type, member)) }
      case 'not':
        return { ...rule, member: this.#rule(type, rule.member) }
      default:
        return rule
    }
  }

  #refOf(type: string, of: string | undefined): string | undefined {
    return this.#schema.types[type]?.fields[of ?? '']?.kind === 'ref' ? of : undefined
  }

  /** The rule with an edge that leads from the one to the other, or one that the schema does not look into. */
  #edgeRule(type: string, { of, ...rule }: EdgeRule): RuleSpec {
    const ref = this.#schema.types[type]?.fields[of ?? '']
    const subjects = ref?.kind === 'ref' ? ref.targets : [type]
    const { viewers } = this.#schema
    const [from, to] = rule.rule === 'viewerHasEdge' ? [viewers, subjects] : [subjects, viewers]
    const edges = from.flatMap(name =>
      Object.entries(this.#schema.types[name]?.edges ?? {}).flatMap(([edge, { targets }]) =>
        targets.some(target => to.includes(target)) ? [edge] : [],
      ),
    )
    const edge = edges.includes(rule.edge) ? rule.edge : edges[0]
    return edge === undefined ? { rule: 'mutual', edge: rule.edge } : { ...rule, edge, of }
  }
}
