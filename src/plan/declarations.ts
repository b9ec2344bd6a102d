import { isInVersion } from '../base/version.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field, RefField } from '../schema/field.ts'
import type { Registry } from '../schema/registry.ts'
import { compileDefaultSelection } from './default-selection.ts'
import { memoize } from './link-query.ts'
import type {
  Declaration,
  FieldDeclaration,
  ParentType,
  ParentTypes,
  SelectionParent,
} from './parent-types.ts'
import type { ScopeNeed } from './plan.ts'
import { createResultMember } from './result-member.ts'
import { computeValueCost } from './value-cost.ts'

const ID_DECLARATION: Declaration = Object.freeze({
  kind: 'id',
  step: Object.freeze({ kind: 'id', isRequested: true }),
})

const NO_PARAMETERS = Object.freeze({})

const createSharedStep = (name: string, field: Field, isEdgeField: boolean): FieldDeclaration['step'] => {
  const { scope } = field
  const { key, firstPrefix, laterPrefix } = createResultMember(name)
  if (field.kind === 'edgeTime')
    return {
      kind: 'time',
      key,
      firstPrefix,
      laterPrefix,
      field: name,
      scope,
      policyIndex: undefined,
    }
  if (field.kind !== 'value' || field.resolve !== undefined || field.policy !== undefined) return undefined
  const { type, from = name } = field
  const parameters = NO_PARAMETERS
  const cost = computeValueCost(field, undefined)
  return {
    kind: 'value',
    key,
    firstPrefix,
    laterPrefix,
    isEdgeField,
    field: name,
    name: from,
    type,
    parameters,
    scope,
    policyIndex: undefined,
    cost,
  }
}

const toScopeNeed = (name: string, type: string, scope: string | undefined): ScopeNeed | undefined =>
  scope === undefined ? undefined : { scope, name, type }

/** The declarations of a schema in one version, prepared for the compilation of expressions. */
export class Declarations {
  readonly registry: Registry
  readonly version: string
  /** By the names of their types. */
  readonly #parentsByTypeNames = new Map<string, SelectionParent>()
  /** By the list objects, which a schema keeps: this is faster than joining the names. */
  readonly #parentsByTypeList = new WeakMap<readonly string[], SelectionParent>()
  readonly #targetsByEdgeOrRef = new Map<EdgeType | RefField, SelectionParent>()
  readonly #parentTypesByName = new Map<string, ParentType>()
  readonly #namesByParentTypes = new WeakMap<ParentTypes, ReadonlySet<string>>()

  constructor(registry: Registry, version: string) {
    this.registry = registry
    this.version = version
  }

  /** Returns the selection parent of nodes of some types, or of the entries of an edge. */
  parentOf(types: readonly string[], edge: EdgeType | undefined): SelectionParent {
    if (edge !== undefined) return this.targetOf(edge)
    const cachedParent = this.#parentsByTypeList.get(types)
    if (cachedParent !== undefined) return cachedParent
    const parent = this.#parentOfNodes(types)
    this.#parentsByTypeList.set(types, parent)
    return parent
  }

  /** Returns the selection parent that an edge or a ref leads to. */
  targetOf(edgeOrRef: EdgeType | RefField): SelectionParent {
    const cachedTarget = this.#targetsByEdgeOrRef.get(edgeOrRef)
    if (cachedTarget !== undefined) return cachedTarget
    const target =
      'kind' in edgeOrRef ? this.#parentOfNodes(edgeOrRef.targets) : this.#createEntryParent(edgeOrRef)
    this.#targetsByEdgeOrRef.set(edgeOrRef, target)
    return target
  }

  /** Returns all names of some types and of the edge that leads to them, in any version. */
  namesOf(parentTypes: ParentTypes): ReadonlySet<string> {
    const cachedNames = this.#namesByParentTypes.get(parentTypes)
    if (cachedNames !== undefined) return cachedNames
    const names = new Set<string>()
    for (const { nodeType } of parentTypes) {
      for (const name of Object.keys(nodeType?.fields ?? {})) names.add(name)
      for (const name of Object.keys(nodeType?.edges ?? {})) names.add(name)
    }
    for (const name of Object.keys(parentTypes[0]?.edge?.fields ?? {})) names.add(name)
    this.#namesByParentTypes.set(parentTypes, names)
    return names
  }

  #parentOfNodes(types: readonly string[]): SelectionParent {
    const key = types.join()
    const cachedParent = this.#parentsByTypeNames.get(key)
    if (cachedParent !== undefined) return cachedParent
    const parentTypes = types.map(type => this.#getParentType(type))
    const parent = this.#createParent(parentTypes, undefined)
    this.#parentsByTypeNames.set(key, parent)
    return parent
  }

  #createEntryParent(edge: EdgeType): SelectionParent {
    const parent = this.#parentOfNodes(edge.targets)
    const fields = Object.entries(edge.fields)
    if (fields.length > 0) {
      const parentTypes = parent.types.map(({ type, nodeType, declarations }): ParentType => {
        const allDeclarations = new Map(declarations)
        for (const [name, field] of fields) this.#addField(allDeclarations, type, name, field, true)
        return {
          type,
          nodeType,
          edge,
          declarations: allDeclarations,
          checkRuleCount: this.registry.checkRuleCountOf(type),
        }
      })
      return this.#createParent(parentTypes, edge.defaults)
    }
    return edge.defaults === undefined ? parent : this.#createParent(parent.types, edge.defaults)
  }

  #createParent(types: ParentTypes, defaults: readonly string[] | undefined): SelectionParent {
    const defaultsOf = (type: string): readonly string[] => defaults ?? this.registry.defaultsOf(type)
    return { types, getDefaultSelection: memoize(() => compileDefaultSelection(types, defaultsOf, this)) }
  }

  #getParentType(type: string): ParentType {
    const cachedType = this.#parentTypesByName.get(type)
    if (cachedType !== undefined) return cachedType
    const nodeType = this.registry.getType(type)
    const declarations = new Map<string, Declaration>([['id', ID_DECLARATION]])
    if (nodeType !== undefined)
      declarations.set('metadata', { kind: 'metadata', nodeType, scopeNeed: undefined })
    for (const [name, edge] of Object.entries(nodeType?.edges ?? {})) {
      declarations.set(name, { kind: 'edge', edge, scopeNeed: toScopeNeed(name, type, edge.scope) })
    }
    for (const [name, field] of Object.entries(nodeType?.fields ?? {})) {
      this.#addField(declarations, type, name, field, false)
    }
    const parentType = {
      type,
      nodeType,
      edge: undefined,
      declarations,
      checkRuleCount: this.registry.checkRuleCountOf(type),
    }
    this.#parentTypesByName.set(type, parentType)
    return parentType
  }

  /** Adds a field if it exists in this version. */
  #addField(
    declarations: Map<string, Declaration>,
    type: string,
    name: string,
    field: Field,
    isEdgeField: boolean,
  ): void {
    if (!isInVersion(field, this.version)) return
    const { scope, deprecated } = field
    declarations.set(name, {
      kind: 'field',
      field,
      isEdgeField,
      step: createSharedStep(name, field, isEdgeField),
      scopeNeed: toScopeNeed(name, type, scope),
      deprecation:
        deprecated === undefined ? undefined : `Field ${name} of ${type} is deprecated: ${deprecated}`,
    })
  }
}
