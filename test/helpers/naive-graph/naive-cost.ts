import { pageSize } from './check-query.ts'
import { declaredAs, defaultsOf, isThere, type Place } from './declared.ts'
import type { PolicySpec, RuleSpec } from './policies.ts'
import type { Item } from './query.ts'
import type { EdgeSpec, SchemaSpec } from './world.ts'

const UNDER_POLICY = { opened: 10, counted: 100 }
const OPEN = { opened: 1, counted: 0 }

/** How many checks a rule consists of, whatever it is composed of. */
const checksIn = (rule: RuleSpec): number => {
  switch (rule.rule) {
    case 'viewerHasEdge':
    case 'hasEdgeToViewer':
    case 'mutual':
      return 1
    case 'broken':
      return rule.when === 'tests' ? 1 : 0
    case 'anyOf':
    case 'allOf':
      return rule.members.map(checksIn).reduce((sum, checks) => sum + checks, 0)
    case 'not':
      return checksIn(rule.member)
    default:
      return 0
  }
}

const checksOf = (policy: PolicySpec = []): number =>
  policy.map(checksIn).reduce((sum, checks) => sum + checks, 0)

type ListItem = Pick<Item, 'limit' | 'summary' | 'fields'>

/** The cost of a query by the table of the documentation, node by node. */
export class NaiveCost {
  readonly #schema: SchemaSpec
  readonly #version: string | undefined

  constructor(schema: SchemaSpec, version: string | undefined) {
    this.#schema = schema
    this.#version = version
  }

  /** Of the dearest node of a place. */
  node({ types, edge }: Place, items: readonly Item[]): number {
    return Math.max(0, ...types.map(type => this.#nodeOf(type, edge, items)))
  }

  /** Of a source, and of its list. */
  source(type: string, edge: EdgeSpec, list: ListItem): number {
    return 1 + checksOf(this.#schema.types[type]?.policy) + this.#list(edge, list)
  }

  #nodeOf(type: string, via: EdgeSpec | undefined, items: readonly Item[]): number {
    const asked = items.length > 0 ? items : defaultsOf(this.#schema, type, via).map(name => ({ name }))
    const values = asked.map(item => this.#item(type, via, item))
    return 1 + checksOf(this.#schema.types[type]?.policy) + values.reduce((sum, value) => sum + value, 0)
  }

  #list(edge: EdgeSpec, { limit, summary, fields = [] }: ListItem): number {
    const isPoliced = edge.targets.some(target => this.#schema.types[target]?.policy !== undefined)
    const { opened, counted } = isPoliced ? UNDER_POLICY : OPEN
    const entries = pageSize({ limit }) * this.node({ types: edge.targets, edge }, fields)
    return opened + (summary ? counted : 0) + entries
  }

  #item(type: string, via: EdgeSpec | undefined, item: Item): number {
    const declared = declaredAs(this.#schema, type, via, item.name)
    if (declared === undefined || !isThere(declared, this.#version)) return 0
    if (declared.kind === 'edge') return this.#list(declared.edge, item)
    if (declared.kind !== 'field') return 0
    const { field } = declared
    if (field.kind === 'ref') return this.node({ types: field.targets, edge: undefined }, item.fields ?? [])
    if (field.kind === 'value') return field.of === 'list' ? 5 : 0
    return 1
  }
}
