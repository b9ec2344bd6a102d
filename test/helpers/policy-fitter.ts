import type { PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import type { SchemaSpec } from './naive-graph/world.ts'
import { IDS } from './schema-arbitraries.ts'

type EdgeRule = Extract<RuleSpec, { readonly rule: 'viewerHasEdge' | 'hasEdgeToViewer' }>

/**
 * Changes policies so that they are valid: their rules name only fields, refs and edges that the schema
 * declares.
 */
export class PolicyFitter {
  readonly #schema: SchemaSpec

  constructor(schema: SchemaSpec) {
    this.#schema = schema
  }

  /** Returns a valid policy for nodes of a type, or for their edges and fields. */
  fitPolicy(type: string, policy: PolicySpec | undefined): PolicySpec | undefined {
    return policy?.map(rule => this.#fitRule(type, rule))
  }

  #fitRule(type: string, rule: RuleSpec): RuleSpec {
    switch (rule.rule) {
      case 'isViewer':
        return { ...rule, of: this.#findRef(type, rule.of) }
      case 'viewerHasEdge':
      case 'hasEdgeToViewer':
        return this.#fitEdgeRule(type, { ...rule, of: this.#findRef(type, rule.of) })
      case 'fieldEquals':
        return this.#schema.types[type]?.fields[rule.field]?.kind === 'value'
          ? rule
          : { rule: 'listed', ids: IDS.slice(0, 4), decision: 'allow' }
      case 'canSee':
        return this.#findRef(type, rule.ref) === undefined
          ? { rule: 'listed', ids: IDS.slice(0, 4), decision: 'allow' }
          : rule
      case 'anyOf':
      case 'allOf':
        return { ...rule, members: rule.members.map(member => this.#fitRule(type, member)) }
      case 'not':
        return { ...rule, member: this.#fitRule(type, rule.member) }
      default:
        return rule
    }
  }

  #findRef(type: string, of: string | undefined): string | undefined {
    return this.#schema.types[type]?.fields[of ?? '']?.kind === 'ref' ? of : undefined
  }

  /**
   * Returns a rule about a declared edge between its subject and the viewer. If the schema declares no such
   * edge, returns a custom rule, whose edges a schema does not validate.
   */
  #fitEdgeRule(type: string, { of, ...rule }: EdgeRule): RuleSpec {
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
