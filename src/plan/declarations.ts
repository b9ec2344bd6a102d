import { isInVersion } from '../base/version.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field, RefField } from '../schema/field.ts'
import type { Registry } from '../schema/registry.ts'
import { createPlainItem } from './expression-items.ts'
import type { Declaration, ParentType, ParentTypes, SelectionParent } from './parent-types.ts'
import type { ScopeNeed, Selection } from './plan.ts'
import { createFieldStep, createSharedStep, type RefSelections } from './steps.ts'
import { createSelection, TypePlanBuilder } from './type-plan.ts'

const ID_DECLARATION: Declaration = Object.freeze({
  kind: 'id',
  step: Object.freeze({ kind: 'id', isRequested: true }),
})

const toScopeNeed = (name: string, type: string, scope: string | undefined): ScopeNeed | undefined =>
  scope === undefined ? undefined : { scope, name, type }

/** Returns the edge or ref of a declaration that leads to nodes, or `undefined` for other declarations. */
const edgeOrRefOf = (declaration: Declaration | undefined): EdgeType | RefField | undefined => {
  if (declaration?.kind === 'edge') return declaration.edge
  return declaration?.kind === 'field' && declaration.field.kind === 'ref' ? declaration.field : undefined
}

const ignoreItem = (): void => undefined

/** The declarations of a schema in one version, prepared for the compilation of expressions. */
export class Declarations {
  readonly registry: Registry
  readonly version: string
  /** The selection parents of nodes by the names of their types. */
  readonly #parentsByTypeNames = new Map<string, SelectionParent>()
  /** The same parents by the list objects of the schema. This lookup is faster than joining the names. */
  readonly #parentsByTypeList = new WeakMap<readonly string[], SelectionParent>()
  readonly #targetsByEdgeOrRef = new Map<EdgeType | RefField, SelectionParent>()
  readonly #defaultSelections = new Map<SelectionParent, Selection>()
  readonly #parentTypesByName = new Map<string, ParentType>()
  readonly #namesByParentTypes = new WeakMap<ParentTypes, ReadonlySet<string>>()

  constructor(registry: Registry, version: string) {
    this.registry = registry
    this.version = version
  }

  /** Returns the selection parent for nodes of the given types, or for the entries of an edge. */
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

  /** Finds the targets of the edges and refs that the given types have under a name, without duplicates. */
  findTargetsOfName(parentTypes: ParentTypes, name: string): readonly ParentTypes[] {
    const targets: ParentTypes[] = []
    for (const parentType of parentTypes) {
      const edgeOrRef = edgeOrRefOf(parentType.declarations.get(name))
      if (edgeOrRef !== undefined) targets.push(this.targetOf(edgeOrRef).types)
    }
    const [first] = targets
    return first === undefined || targets.every(target => target === first)
      ? targets.slice(0, 1)
      : [...new Set(targets)]
  }

  /**
   * Returns the selection of the default fields, which a call without an expression uses. All plans share
   * this selection.
   */
  defaultSelectionOf(parent: SelectionParent): Selection {
    const cachedSelection = this.#defaultSelections.get(parent)
    if (cachedSelection !== undefined) return cachedSelection
    const selection = this.#compileDefaultSelection(parent)
    this.#defaultSelections.set(parent, selection)
    return selection
  }

  /** Returns all names that the given types and the edge that leads to them declare, in any version. */
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
    const parent = { types: parentTypes, defaults: undefined }
    this.#parentsByTypeNames.set(key, parent)
    return parent
  }

  #createEntryParent(edge: EdgeType): SelectionParent {
    const parent = this.#parentOfNodes(edge.targets)
    const fields = Object.entries(edge.fields)
    if (fields.length > 0) {
      const parentTypes = parent.types.map((parentType): ParentType => {
        const { type, declarations } = parentType
        const allDeclarations = new Map(declarations)
        for (const [name, field] of fields) this.#addField(allDeclarations, type, name, field, true)
        return { ...parentType, edge, declarations: allDeclarations }
      })
      return { types: parentTypes, defaults: edge.defaults }
    }
    return edge.defaults === undefined ? parent : { types: parent.types, defaults: edge.defaults }
  }

  #compileDefaultSelection({ types, defaults }: SelectionParent): Selection {
    const selections: RefSelections = {
      getTargetSelection: ref => this.defaultSelectionOf(this.targetOf(ref)),
      onFound: ignoreItem,
      onMissing: ignoreItem,
    }
    const plans = types.map(parentType => {
      const builder = new TypePlanBuilder(parentType)
      for (const name of defaults ?? this.registry.defaultsOf(parentType.type)) {
        const declaration = parentType.declarations.get(name)
        if (declaration?.kind === 'id') builder.add(declaration.step, declaration)
        if (declaration?.kind === 'field')
          builder.add(createFieldStep(createPlainItem(name), declaration, builder, selections), declaration)
      }
      return builder.build()
    })
    return createSelection(plans)
  }

  #getParentType(type: string): ParentType {
    const cachedType = this.#parentTypesByName.get(type)
    if (cachedType !== undefined) return cachedType
    const nodeType = this.registry.getType(type)
    const declarations = new Map<string, Declaration>([['id', ID_DECLARATION]])
    if (nodeType !== undefined)
      declarations.set('metadata', {
        kind: 'metadata',
        ids: this.registry.ids.kind,
        nodeType,
        scopeNeed: undefined,
      })
    for (const [name, edge] of Object.entries(nodeType?.edges ?? {})) {
      declarations.set(name, { kind: 'edge', edge, scopeNeed: toScopeNeed(name, type, edge.scope) })
    }
    for (const [name, field] of Object.entries(nodeType?.fields ?? {})) {
      this.#addField(declarations, type, name, field, false)
    }
    const parentType: ParentType = {
      type,
      nodeType,
      edge: undefined,
      declarations,
      checkRuleCount: this.registry.checkRuleCountOf(type),
      inheritanceOf: policy => this.registry.inheritanceOfPolicy(type, policy),
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
