import { findList, fitListValues } from './naive-graph/edge-parameters.ts'
import type { DataTest, EdgeRuleSpec, PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import type { EdgeSpec, FieldSpec, ParameterValues, SchemaSpec } from './naive-graph/world.ts'
import { IDS, mapValues, omitUndefined } from './schema-arbitraries.ts'

/** Returns values of the parameters without a default that choose lists of the edges. */
const requiredValues = (edges: readonly EdgeSpec[]): ParameterValues =>
  Object.fromEntries(
    edges.flatMap(({ parameters = {}, list = [] }) =>
      list.flatMap(name => {
        const parameter = parameters[name]
        if (parameter === undefined || parameter.default !== undefined) return []
        return [[name, parameter.kind === 'enum' ? parameter.words[0] : false] as const]
      }),
    ),
  )

const isComplete = ({ parameters = {}, list = [] }: EdgeSpec, given: ParameterValues): boolean =>
  list.every(name => given[name] !== undefined || parameters[name]?.default !== undefined)

/** Returns the values that choose one list of all edges; `undefined` if there are none. */
const fitParameters = (
  name: string,
  edges: readonly EdgeSpec[],
  wanted: ParameterValues | undefined,
): ParameterValues | undefined => {
  const required = fitListValues(edges, requiredValues(edges))
  const candidates = [{ ...required, ...fitListValues(edges, wanted ?? {}) }, required]
  return candidates.find(
    parameters =>
      edges.every(edge => isComplete(edge, parameters)) &&
      new Set(edges.map(edge => findList(name, edge, parameters))).size <= 1,
  )
}

/** Keeps the tests of the fields that all of the edges have. */
const fitDataTest = (edges: readonly EdgeSpec[], where: DataTest | undefined): DataTest | undefined =>
  where &&
  Object.fromEntries(Object.entries(where).filter(([field]) => edges.every(({ fields }) => field in fields)))

/**
 * Changes policies so that they are valid: their rules name only fields, refs and edges that the schema
 * declares.
 */
class PolicyFitter {
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
      case 'denied':
      case 'broken':
        return { ...rule, isDeclared: this.#schema.types[type]?.fields[rule.field]?.kind === 'value' }
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
  #fitEdgeRule(type: string, { of, ...rule }: EdgeRuleSpec): RuleSpec {
    const ref = this.#schema.types[type]?.fields[of ?? '']
    const subjects = ref?.kind === 'ref' ? ref.targets : [type]
    const { viewers } = this.#schema
    const [from, to] = rule.rule === 'viewerHasEdge' ? [viewers, subjects] : [subjects, viewers]
    const names = from.flatMap(name =>
      Object.entries(this.#schema.types[name]?.edges ?? {}).flatMap(([edge, { targets }]) =>
        targets.some(target => to.includes(target)) ? [edge] : [],
      ),
    )
    const edge = names.includes(rule.edge) ? rule.edge : names[0]
    if (edge === undefined) return { rule: 'mutual', edge: rule.edge }
    const edges = from.flatMap(name => this.#schema.types[name]?.edges[edge] ?? [])
    const parameters = fitParameters(edge, edges, rule.parameters)
    if (parameters === undefined) return { rule: 'mutual', edge }
    return omitUndefined({ ...rule, edge, of, parameters, where: fitDataTest(edges, rule.where) })
  }
}

/** Makes the policies of a schema valid, and the parameters of its fields about the viewer's own edge. */
export const fitSchema = (schema: SchemaSpec): SchemaSpec => {
  const fitter = new PolicyFitter(schema)
  const fitField = (field: FieldSpec, edges: SchemaSpec['types'][string]['edges']): FieldSpec => {
    const edge = field.kind === 'viewerEdge' ? edges[field.edge] : undefined
    if (field.kind !== 'viewerEdge' || edge === undefined) return field
    return { ...field, parameters: fitParameters(field.edge, [edge], field.parameters) }
  }
  const fitMembers = <T extends { readonly policy?: PolicySpec | undefined }>(
    type: string,
    members: { readonly [name: string]: T },
  ): { readonly [name: string]: T } =>
    mapValues(members, member => omitUndefined({ ...member, policy: fitter.fitPolicy(type, member.policy) }))
  return {
    ...schema,
    types: mapValues(schema.types, (spec, type) =>
      omitUndefined({
        ...spec,
        policy: fitter.fitPolicy(type, spec.policy),
        fields: fitMembers(
          type,
          mapValues(spec.fields, field => fitField(field, spec.edges)),
        ),
        edges: fitMembers(type, spec.edges),
      }),
    ),
  }
}
