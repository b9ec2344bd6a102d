import type { EdgeRecord } from '../store/contract.ts'
import { constantListOf } from './constant-lists.ts'
import type { NamedEdge } from './edge-lists.ts'
import { type FieldType, isBadValue } from './field-type.ts'
import { getOwn, type NodeType } from './node.ts'
import type { EdgeReference, Policy } from './policy.ts'
import type { Schema } from './schema.ts'

/** Returns the types of the node that a rule is about, or `undefined` if `subjectField` is not a ref. */
export const subjectTypesOf = (
  typeName: string,
  type: NodeType,
  subjectField: string | undefined,
): readonly string[] | undefined => {
  if (subjectField === undefined) return [typeName]
  const field = getOwn(type.fields, subjectField)
  return field?.kind === 'ref' ? field.targets : undefined
}

/** Returns the edges of the given types that a rule names. */
export const edgesOfReference = (
  { types }: Schema,
  sourceTypes: readonly string[],
  { edge: name }: EdgeReference,
): readonly NamedEdge[] =>
  sourceTypes.flatMap(type => {
    const edge = getOwn(getOwn(types, type)?.edges ?? {}, name)
    return edge === undefined ? [] : { name, edge }
  })

/** The edge of a rule, as the schema declares it. */
type RuleEdge = {
  /** The stored list that the parameters of the rule choose. */
  readonly list: string
  /** The types that each field in the rule's `where` has, one for each declaration of the edge. */
  readonly fieldTypes: ReadonlyMap<string, readonly FieldType[]>
}

const toRuleEdge = (edges: readonly NamedEdge[], reference: EdgeReference): RuleEdge => {
  const [first] = edges
  const names = Object.keys(reference.where ?? {})
  return {
    list: first === undefined ? reference.edge : constantListOf(first, reference.parameters),
    fieldTypes: new Map(
      names.map(name => [
        name,
        edges.flatMap(({ edge }) => {
          const field = getOwn(edge.fields, name)
          return field?.kind === 'value' ? field.type : []
        }),
      ]),
    ),
  }
}

/** Every policy of a type: its own, and those of its fields and edges. */
const policiesOf = ({ policy, fields, edges }: NodeType): readonly Policy[] =>
  [
    policy,
    ...Object.values(fields).map(field => field.policy),
    ...Object.values(edges).map(edge => edge.policy),
  ].filter(item => item !== undefined)

/**
 * The edges that the built-in rules of a schema name. A rule does not know the schema, so it cannot know the
 * stored list of its edge.
 */
export class RuleEdges {
  /** By rule and by the type of the record that the rule is evaluated for. Plain edges are left out. */
  readonly #edges = new Map<EdgeReference, Map<string, RuleEdge>>()

  constructor(schema: Schema) {
    for (const [typeName, type] of Object.entries(schema.types))
      for (const policy of policiesOf(type)) this.addPolicy(schema, typeName, policy)
  }

  /** Adds the edges of a policy that is evaluated for the records of a type. */
  addPolicy(schema: Schema, typeName: string, policy: Policy): void {
    const type = getOwn(schema.types, typeName)
    if (type === undefined) return
    for (const rule of policy)
      for (const reference of rule['~refers'] ?? []) {
        if (reference.kind !== 'edgeOfViewer' && reference.kind !== 'edgeToViewer') continue
        this.#add(schema, typeName, type, reference)
      }
  }

  /** Returns the name of the stored list of a rule's edge, for a record of the given type. */
  listOf(reference: EdgeReference, recordType: string): string {
    if (this.#edges.size === 0) return reference.edge
    return this.#edges.get(reference)?.get(recordType)?.list ?? reference.edge
  }

  /** Whether an edge that was found for a rule has a value that is not valid for a field of the rule's `where`. */
  hasBadValue(reference: EdgeReference, recordType: string, { name, data }: EdgeRecord): boolean {
    const ruleEdge = this.#edges.get(reference)?.get(recordType)
    if (ruleEdge === undefined || data === undefined || name !== ruleEdge.list) return false
    for (const [field, types] of ruleEdge.fieldTypes) {
      const stored = Object.hasOwn(data, field) ? data[field] : undefined
      if (types.every(type => isBadValue(type, stored))) return true
    }
    return false
  }

  #add(schema: Schema, typeName: string, type: NodeType, reference: EdgeReference): void {
    const sourceTypes =
      reference.kind === 'edgeOfViewer'
        ? schema.viewers
        : (subjectTypesOf(typeName, type, reference.subjectField) ?? [])
    const ruleEdge = toRuleEdge(edgesOfReference(schema, sourceTypes, reference), reference)
    if (ruleEdge.list === reference.edge && reference.where === undefined) return
    const edgesByType = this.#edges.get(reference) ?? new Map<string, RuleEdge>()
    this.#edges.set(reference, edgesByType.set(typeName, ruleEdge))
  }
}
