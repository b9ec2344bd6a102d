import { defaultFieldsOf, findDeclaration, isReadable, type SelectionParent } from './declarations.ts'
import { isFilterActive } from './edge-parameters.ts'
import type { PolicySpec, RuleSpec } from './policies.ts'
import type { ItemSpec } from './query.ts'
import { effectiveLimit } from './query-validator.ts'
import type { EdgeSpec, SchemaSpec } from './world.ts'

const POLICY_LIST_COST = { read: 10, count: 100 }
const OPEN_LIST_COST = { read: 1, count: 0 }

/** Counts the checks of a rule, including those of its members. */
const countChecks = (rule: RuleSpec): number => {
  switch (rule.rule) {
    case 'viewerHasEdge':
    case 'hasEdgeToViewer':
    case 'mutual':
      return 1
    case 'broken':
      return rule.when === 'checks' ? 1 : 0
    case 'anyOf':
    case 'allOf':
      return rule.members.map(countChecks).reduce((sum, checks) => sum + checks, 0)
    case 'not':
      return countChecks(rule.member)
    default:
      return 0
  }
}

const countPolicyChecks = (policy: PolicySpec = []): number =>
  policy.map(countChecks).reduce((sum, checks) => sum + checks, 0)

const findRefs = (rule: RuleSpec): readonly string[] => {
  if (rule.rule === 'canSee') return [rule.ref]
  return rule.rule === 'anyOf' || rule.rule === 'allOf' ? rule.members.flatMap(findRefs) : []
}

/** Returns the number of refs that `canSee` follows in a row in a policy of a type, 4 at most. */
export const depthOf = (
  { types }: SchemaSpec,
  type: string,
  policy: PolicySpec = [],
  maxDepth = 4,
): number => {
  if (maxDepth === 0) return 0
  const targets = policy.flatMap(findRefs).flatMap(ref => {
    const field = types[type]?.fields[ref]
    return field?.kind === 'ref' ? field.targets : []
  })
  const depths = targets.map(
    target => 1 + depthOf({ types, viewers: [] }, target, types[target]?.policy, maxDepth - 1),
  )
  return Math.max(0, ...depths)
}

type ListItem = Pick<ItemSpec, 'limit' | 'summary' | 'fields' | 'parameters'>

/** Computes the cost of a query node by node, from the table in docs/calls.md. */
export class NaiveCost {
  readonly #schema: SchemaSpec
  readonly #version: string | undefined

  constructor(schema: SchemaSpec, version: string | undefined) {
    this.#schema = schema
    this.#version = version
  }

  /** Returns the cost of a node, for the most expensive type that the node may have. */
  nodeCost({ types, edge }: SelectionParent, items: readonly ItemSpec[]): number {
    return Math.max(0, ...types.map(type => this.#costOfType(type, edge, items)))
  }

  /** Returns the cost of a source and its list. */
  sourceCost(type: string, edge: EdgeSpec, list: ListItem): number {
    const { policy } = this.#schema.types[type] ?? {}
    const inherited = this.#depthOf(type, policy) + this.#depthOf(type, edge.policy)
    return 1 + countPolicyChecks(policy) + inherited + this.#listCost(edge, list)
  }

  #depthOf(type: string, policy: PolicySpec | undefined): number {
    return depthOf(this.#schema, type, policy)
  }

  #costOfType(type: string, via: EdgeSpec | undefined, items: readonly ItemSpec[]): number {
    const selected =
      items.length > 0 ? items : defaultFieldsOf(this.#schema, type, via).map(name => ({ name }))
    const values = selected.map(item => this.#itemCost(type, via, item))
    const { policy } = this.#schema.types[type] ?? {}
    // The entries of a list under a policy count against the scan limit instead.
    const inherited = via === undefined ? this.#depthOf(type, policy) : 0
    return 1 + countPolicyChecks(policy) + inherited + values.reduce((sum, value) => sum + value, 0)
  }

  #listCost(edge: EdgeSpec, { limit, summary, fields = [], parameters }: ListItem): number {
    const isFiltered =
      isFilterActive(edge, parameters) ||
      edge.targets.some(target => this.#schema.types[target]?.policy !== undefined)
    const { read, count } = isFiltered ? POLICY_LIST_COST : OPEN_LIST_COST
    const entries = effectiveLimit({ limit }) * this.nodeCost({ types: edge.targets, edge }, fields)
    return read + (summary ? count : 0) + entries
  }

  #itemCost(type: string, via: EdgeSpec | undefined, item: ItemSpec): number {
    const declared = findDeclaration(this.#schema, type, via, item.name)
    if (declared === undefined || !isReadable(declared, item, this.#version)) return 0
    if (declared.kind === 'edge')
      return this.#depthOf(type, declared.edge.policy) + this.#listCost(declared.edge, item)
    if (declared.kind !== 'field') return 0
    const { field } = declared
    const inherited = this.#depthOf(type, field.policy)
    if (field.kind === 'ref')
      return inherited + this.nodeCost({ types: field.targets, edge: undefined }, item.fields ?? [])
    if (field.kind === 'value') return inherited + (field.of === 'list' || field.of === 'json' ? 5 : 0)
    if (field.kind === 'viewerEdge' && field.field !== undefined)
      return inherited + this.#depthOf(type, this.#schema.types[type]?.edges[field.edge]?.policy) + 1
    return inherited + 1
  }
}
