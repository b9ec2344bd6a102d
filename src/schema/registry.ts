import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { unknownTypeError } from '../base/usage-error.ts'
import { isVersion, resolveVersion } from '../base/version.ts'
import type { EdgeType } from './edge.ts'
import type { Field } from './field.ts'
import { SchemaIds } from './id-prefixes.ts'
import { type Inheritance, InheritanceFinder, NO_INHERITANCE } from './inheritance.ts'
import { getOwn, type NodeType } from './node.ts'
import { finiteValuesOf } from './parameter.ts'
import { countRulesWithChecks, type Policy } from './policy.ts'
import { RuleEdges } from './rule-edges.ts'
import type { Schema } from './schema.ts'
import { SourceFields } from './source-fields.ts'

const typeHasPolicy = ({ policy, fields, edges }: NodeType): boolean =>
  [{ policy }, ...Object.values(fields), ...Object.values(edges)].some(
    declaration => declaration.policy !== undefined,
  )

/** Whether a schema has a policy anywhere. */
export const schemaHasPolicy = (schema: Schema): boolean => Object.values(schema.types).some(typeHasPolicy)

/**
 * Whether a schema may have lists whose cursors are encrypted: lists whose entries are left out, for a policy
 * or by a filter, computed lists, and lists in the order of values that callers may not see.
 */
export const schemaHasEncryptedCursors = (schema: Schema): boolean =>
  schemaHasPolicy(schema) ||
  Object.values(schema.types).some(({ edges }) =>
    Object.values(edges).some(
      ({ where, resolve, orders }) =>
        where !== undefined || resolve !== undefined || [...orders.values()].some(({ isSecret }) => isSecret),
    ),
  )

/** A type with its declarations by name. */
type TypeEntry = {
  readonly type: NodeType
  readonly fields: ReadonlyMap<string, Field>
  readonly edges: ReadonlyMap<string, EdgeType>
  readonly defaults: readonly string[]
  readonly checkRuleCount: number
  readonly inheritance: Inheritance
}

const createTypeEntry = (type: NodeType, inheritance: Inheritance): TypeEntry => {
  const fields = Object.entries(type.fields)
  return {
    type,
    fields: new Map(fields),
    edges: new Map(Object.entries(type.edges)),
    defaults: fields.filter(([, field]) => field.default).map(([name]) => name),
    checkRuleCount: countRulesWithChecks(type.policy),
    inheritance,
  }
}

const hasFieldWithParameter = (schema: Schema, name: string, parameter: string): boolean =>
  Object.values(schema.types).some(({ fields }) => {
    const field = getOwn(fields, name)
    return field?.kind === 'value' && Object.hasOwn(field.parameters, parameter)
  })

/** Finds the parameters whose values are left out of plans, by the names of edges. */
const findSlotParameters = (schema: Schema): ReadonlyMap<string, ReadonlySet<string>> => {
  const manyValued = new Map<string, Set<string>>()
  const fewValued = new Set<string>()
  for (const { edges } of Object.values(schema.types)) {
    for (const [edge, { parameters }] of Object.entries(edges)) {
      for (const [name, declared] of Object.entries(parameters)) {
        if (finiteValuesOf(declared) !== undefined) fewValued.add(`${edge}.${name}`)
        else manyValued.set(edge, (manyValued.get(edge) ?? new Set()).add(name))
      }
    }
  }
  for (const [edge, names] of manyValued) {
    for (const name of names)
      if (fewValued.has(`${edge}.${name}`) || hasFieldWithParameter(schema, edge, name)) names.delete(name)
  }
  return manyValued
}

/**
 * Finds the declarations of a schema by the names that callers send. The lookups return `undefined` for a
 * name that is not declared, such as `__proto__`.
 */
export class Registry {
  readonly schema: Schema
  /** Whether the schema has a policy anywhere. */
  readonly hasPolicy: boolean
  /** The kind of the ids, and the types that named ids belong to. */
  readonly ids: SchemaIds
  /** The edges that built-in rules name. */
  readonly ruleEdges: RuleEdges
  /** The fields of nodes that are read only for their policies, or as the sources of an edge. */
  readonly sourceFields: SourceFields
  readonly #defaultVersion: string
  readonly #typesByName: ReadonlyMap<string, TypeEntry>
  readonly #inheritances: InheritanceFinder
  readonly #sourceTypesByEdge = new Map<string, string[]>()
  readonly #edgesUnderPolicy = new Set<EdgeType>()
  readonly #slotParametersByEdge: ReadonlyMap<string, ReadonlySet<string>>
  readonly #appScopedEdges = new Set<EdgeType>()
  readonly #inheritedDepths = new Map<EdgeType, number>()

  constructor(schema: Schema, defaultVersion: string | undefined) {
    this.schema = schema
    this.#defaultVersion = defaultVersion ?? schema.versions.at(-1) ?? ''
    this.hasPolicy = schemaHasPolicy(schema)
    this.ids = new SchemaIds(schema)
    this.#inheritances = new InheritanceFinder(schema)
    this.ruleEdges = new RuleEdges(schema)
    this.sourceFields = new SourceFields(schema)
    this.#typesByName = new Map(
      Object.entries(schema.types).map(([name, type]) => [
        name,
        createTypeEntry(type, this.#inheritances.find(name, type.policy)),
      ]),
    )
    this.#slotParametersByEdge = findSlotParameters(schema)
    for (const [source, type] of Object.entries(schema.types)) {
      for (const [name, edge] of Object.entries(type.edges)) this.#addEdge(source, name, edge)
    }
  }

  getType(name: string): NodeType | undefined {
    return this.#typesByName.get(name)?.type
  }

  /** Returns the policy of a type, or `undefined` if it has none. */
  policyOf(type: string): Policy | undefined {
    return this.getType(type)?.policy
  }

  /**
   * @throws TypeError for an unknown type. The error is not a `GraphError`, because the type comes from the
   * calling code, not from a client.
   */
  assertType(caller: string, name: unknown): void {
    if (typeof name === 'string' && this.getType(name) !== undefined) return
    throw unknownTypeError(caller, Object.keys(this.schema.types), name)
  }

  getField(type: string, name: string): Field | undefined {
    return this.#typesByName.get(type)?.fields.get(name)
  }

  getEdge(type: string, name: string): EdgeType | undefined {
    return this.#typesByName.get(type)?.edges.get(name)
  }

  /** Returns the names of the default fields of a type. */
  defaultsOf(type: string): readonly string[] {
    return this.#typesByName.get(type)?.defaults ?? []
  }

  /**
   * Returns the number of rules with `checks` in the policy of a type. Each of these rules is evaluated for
   * each node.
   */
  checkRuleCountOf(type: string): number {
    return this.#typesByName.get(type)?.checkRuleCount ?? 0
  }

  /** Returns the work of the `canSee` rules in the policy of a type. */
  inheritanceOf(type: string): Inheritance {
    return this.#typesByName.get(type)?.inheritance ?? NO_INHERITANCE
  }

  /** Returns the work of the `canSee` rules in the policy of a field or an edge of a type. */
  inheritanceOfPolicy(type: string, policy: Policy | undefined): Inheritance {
    return this.#inheritances.find(type, policy)
  }

  /** Returns the number of refs that the policies of an edge's targets follow in a row. */
  inheritedDepthOfEdge(edge: EdgeType): number {
    return this.#inheritedDepths.get(edge) ?? 0
  }

  /**
   * Returns the cost of the policies that are evaluated for the source of an edge: the policy of its type and
   * the policy of the edge.
   */
  sourcePolicyCostOf(type: string, edge: EdgeType | undefined): number {
    return (
      this.checkRuleCountOf(type) +
      this.inheritanceOf(type).depth +
      this.inheritanceOfPolicy(type, edge?.policy).depth
    )
  }

  /** Whether an edge may lead to nodes with a policy. If so, its lists must be filtered. */
  isUnderPolicy(edge: EdgeType): boolean {
    return this.#edgesUnderPolicy.has(edge)
  }

  /**
   * Whether the values of a parameter are left out of plans, as those of cursors: a parameter with many values
   * on every edge of the name that has it. A name that is also a field with this parameter is excluded.
   */
  readonly isSlotParameter = (edge: string, parameter: string): boolean =>
    this.#slotParametersByEdge.get(edge)?.has(parameter) === true

  /** Whether the ids of a type are different for each app. */
  readonly isAppScopedType = (type: string): boolean => this.getType(type)?.appScoped === true

  /** Whether an edge may lead to nodes with app-scoped ids. */
  isAppScoped(edge: EdgeType): boolean {
    return this.#appScopedEdges.has(edge)
  }

  /** Returns the names of the types that have an edge with the given name. */
  sourceTypesOf(edge: string): readonly string[] {
    return this.#sourceTypesByEdge.get(edge) ?? []
  }

  /**
   * Returns the declared version for a requested version, or the default version if no version is requested.
   */
  resolveVersion(requested: string | undefined): string {
    if (requested === undefined) return this.#defaultVersion
    if (!isVersion(requested))
      throw invalidParameterError('version', 'a version such as v1.0', describeValue(requested))
    return resolveVersion(this.schema.versions, requested)
  }

  #addEdge(sourceType: string, name: string, edge: EdgeType): void {
    this.#sourceTypesByEdge.set(name, [...this.sourceTypesOf(name), sourceType])
    if (edge.targets.some(target => this.policyOf(target) !== undefined)) this.#edgesUnderPolicy.add(edge)
    const inheritedDepth = Math.max(0, ...edge.targets.map(target => this.inheritanceOf(target).depth))
    if (inheritedDepth > 0) this.#inheritedDepths.set(edge, inheritedDepth)
    if (edge.targets.some(target => this.getType(target)?.appScoped)) this.#appScopedEdges.add(edge)
  }
}
