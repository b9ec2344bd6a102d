import type { Policy } from '../schema/policy.ts'
import { computeListCost, VIEWER_EDGE_COST } from './cost.ts'
import type { Declaration, ParentType } from './parent-types.ts'
import type {
  EdgePlan,
  ListOpenings,
  PlanStep,
  ScopeNeed,
  Selection,
  TypePlan,
  ViewerEdgeStep,
} from './plan.ts'
import { SelectedFields } from './selected-fields.ts'

type CellStep = TypePlan['cellSteps'][number]

const EMPTY_LIST: readonly never[] = Object.freeze([])

const UNREQUESTED_ID_STEP: PlanStep = Object.freeze({ kind: 'id', isRequested: false })

/** Concatenates two lists without duplicates. */
const mergeUnique = <TItem>(first: readonly TItem[], second: readonly TItem[]): readonly TItem[] => {
  if (second.length === 0 || first === second) return first
  return first.length === 0 ? second : [...new Set([...first, ...second])]
}

/** The openings of an expression that opens no list under a policy. */
export const NO_OPENINGS: ListOpenings = new Map()

/** Returns the sum of the openings of two parts of an expression. */
export const addOpenings = (first: ListOpenings, second: ListOpenings): ListOpenings => {
  if (second.size === 0) return first
  if (first.size === 0) return second
  const countsByEdge = new Map(first)
  for (const [edge, openingCount] of second)
    countsByEdge.set(edge, openingCount + (countsByEdge.get(edge) ?? 0))
  return countsByEdge
}

/** Returns the largest value of a member of the plans, or 0 without plans. */
const findMax = (
  plans: readonly TypePlan[],
  member:
    | 'cost'
    | 'maxValues'
    | 'maxEdgesWithoutPolicy'
    | 'inheritedDepth'
    | 'inheritedReadCount'
    | 'readCount',
): number => {
  let max = 0
  // An iterator would be allocated for each member of each selection.
  for (let index = 0; index < plans.length; index++) max = Math.max(max, plans[index]?.[member] ?? 0)
  return max
}

/**
 * Creates a selection from its plans. A record has only one type, so the cost of the selection is the maximum
 * cost of its plans, not the sum.
 */
export const createSelection = (plans: readonly TypePlan[]): Selection => {
  const types = new Map<string, TypePlan>()
  let hasPolicy = false
  let appScoped = false
  let singleCost = 0
  let openings = NO_OPENINGS
  let requiredScopes: Selection['requiredScopes'] = EMPTY_LIST
  let omittedFields: Selection['omittedFields'] = EMPTY_LIST
  let deprecations: Selection['deprecations'] = EMPTY_LIST
  for (const plan of plans) {
    types.set(plan.type, plan)
    hasPolicy ||= plan.policy !== undefined
    appScoped ||= plan.appScoped
    singleCost = Math.max(singleCost, plan.cost + plan.inheritedDepth)
    openings = addOpenings(openings, plan.openings)
    requiredScopes = mergeUnique(requiredScopes, plan.requiredScopes)
    omittedFields = mergeUnique(omittedFields, plan.omittedFields)
    deprecations = mergeUnique(deprecations, plan.deprecations)
  }
  return Object.freeze({
    types,
    onlyType: plans.length === 1 ? plans[0] : undefined,
    hasPolicy,
    appScoped,
    wanted: new SelectedFields(types),
    cost: findMax(plans, 'cost'),
    singleCost,
    maxValues: findMax(plans, 'maxValues'),
    maxEdgesWithoutPolicy: findMax(plans, 'maxEdgesWithoutPolicy'),
    openings,
    inheritedDepth: findMax(plans, 'inheritedDepth'),
    inheritedReadCount: findMax(plans, 'inheritedReadCount'),
    readCount: findMax(plans, 'readCount'),
    requiredScopes,
    omittedFields,
    deprecations,
  })
}

/** The number of values that one unit of cost counts as. Only heavy values, such as lists, have a cost. */
const VALUES_PER_COST = 10

/** Counts the values of one record: one for each step, and more for heavy steps. */
export const countValues = (stepCount: number, ownCost: number): number =>
  stepCount + VALUES_PER_COST * ownCost

/** Builds the plan for the records of one type. */
export class TypePlanBuilder {
  readonly parentType: ParentType
  readonly #steps: PlanStep[] = []
  readonly #cellSteps: CellStep[] = []
  #hasId = false
  #stepPolicies: readonly Policy[] = EMPTY_LIST
  #requiredScopes: readonly ScopeNeed[] = EMPTY_LIST
  #omittedFields: readonly ScopeNeed[] = EMPTY_LIST
  #deprecations: readonly string[] = EMPTY_LIST
  #requiredScopesBelow: readonly ScopeNeed[] = EMPTY_LIST
  #omittedFieldsBelow: readonly ScopeNeed[] = EMPTY_LIST
  #deprecationsBelow: readonly string[] = EMPTY_LIST
  #ownCost: number
  #costBelow = 0
  #maxValuesBelow = 0
  #maxEdgesWithoutPolicy = 0
  #openings = NO_OPENINGS
  #inheritedReadCount: number
  #readCount = 0
  readonly #inheritedDepth: number

  constructor(parentType: ParentType) {
    const { depth, readCount } = parentType.inheritanceOf(parentType.nodeType?.policy)
    this.parentType = parentType
    this.#ownCost = parentType.checkRuleCount
    this.#inheritedDepth = depth
    this.#inheritedReadCount = readCount
  }

  get nextCellIndex(): number {
    return this.#cellSteps.length
  }

  /** Adds the policy of a step. Returns the index of the policy, or `undefined` if there is no policy. */
  addPolicy(policy: Policy | undefined): number | undefined {
    if (policy === undefined) return undefined
    const { depth, readCount } = this.parentType.inheritanceOf(policy)
    this.#ownCost += depth
    this.#inheritedReadCount = Math.max(this.#inheritedReadCount, readCount)
    if (!this.#stepPolicies.includes(policy)) this.#stepPolicies = [...this.#stepPolicies, policy]
    return this.#stepPolicies.indexOf(policy)
  }

  /** Adds the step of a declaration. */
  add(step: PlanStep, declaration: Declaration): void {
    this.#steps.push(step)
    if (step.kind === 'id') this.#hasId = true
    if ('cost' in step) this.#ownCost += step.cost
    if ('cellIndex' in step) this.#addCellStep(step)
    if (declaration.kind !== 'id') this.#addDeclaration(declaration)
  }

  build(): TypePlan {
    const { type, nodeType } = this.parentType
    if (!this.#hasId) this.#steps.push(UNREQUESTED_ID_STEP)
    // The lists are copied, because a list that has grown keeps unused memory as long as its plan is cached.
    return Object.freeze({
      type,
      policy: nodeType?.policy,
      appScoped: nodeType?.appScoped ?? false,
      stepPolicies: this.#stepPolicies,
      steps: this.#steps.slice(),
      cellSteps: this.#cellSteps.slice(),
      hasScopedFields: this.#omittedFields.length > 0,
      requiredScopes: mergeUnique(this.#requiredScopes, this.#requiredScopesBelow),
      omittedFields: mergeUnique(this.#omittedFields, this.#omittedFieldsBelow),
      deprecations: mergeUnique(this.#deprecations, this.#deprecationsBelow),
      cost: this.#ownCost + this.#costBelow,
      ownCost: this.#ownCost,
      maxValues: countValues(this.#steps.length, this.#ownCost) + this.#maxValuesBelow,
      maxEdgesWithoutPolicy: this.#maxEdgesWithoutPolicy,
      openings: this.#openings,
      inheritedDepth: this.#inheritedDepth,
      inheritedReadCount: this.#inheritedReadCount,
      readCount: this.#readCount,
    })
  }

  #addCellStep(step: CellStep): void {
    this.#cellSteps.push(step)
    if (step.kind === 'viewerEdge') this.#addViewerEdge(step)
    if (step.kind === 'ref') this.#addRef(step.selection)
    if (step.kind === 'edge') this.#addEdge(step.edge)
  }

  #addViewerEdge({ name, value }: ViewerEdgeStep): void {
    const { type } = this.parentType
    for (const scope of value?.scopes ?? [])
      this.#omittedFields = [...this.#omittedFields, { scope, name, type }]
    this.#ownCost += VIEWER_EDGE_COST
    this.#readCount = Math.max(this.#readCount, 1)
  }

  #addRef(selection: Selection): void {
    this.#costBelow += 1 + selection.singleCost
    this.#maxValuesBelow += selection.maxValues
    this.#maxEdgesWithoutPolicy += selection.maxEdgesWithoutPolicy
    this.#addSelection(selection)
  }

  #addEdge(edge: EdgePlan): void {
    const { limit, selection } = edge
    this.#costBelow += computeListCost(edge, edge.isFiltered, selection.cost)
    this.#maxValuesBelow += limit * selection.maxValues
    this.#maxEdgesWithoutPolicy += limit * ((edge.isFiltered ? 0 : 1) + selection.maxEdgesWithoutPolicy)
    if (edge.isFiltered) {
      const ownOpenings = new Map([[`${this.parentType.type}.${edge.name}`, edge.summary ? 2 : 1]])
      this.#openings = addOpenings(this.#openings, ownOpenings)
    }
    this.#addSelection(selection)
  }

  #addSelection(selection: Selection): void {
    const { openings, inheritedReadCount, readCount, requiredScopes, omittedFields, deprecations } = selection
    this.#openings = addOpenings(this.#openings, openings)
    this.#readCount = Math.max(this.#readCount, 1 + inheritedReadCount + readCount)
    this.#requiredScopesBelow = mergeUnique(this.#requiredScopesBelow, requiredScopes)
    this.#omittedFieldsBelow = mergeUnique(this.#omittedFieldsBelow, omittedFields)
    this.#deprecationsBelow = mergeUnique(this.#deprecationsBelow, deprecations)
  }

  #addDeclaration(declaration: Exclude<Declaration, { kind: 'id' }>): void {
    const { scopeNeed } = declaration
    const isLeaf = declaration.kind === 'field' && declaration.field.kind !== 'ref'
    if (scopeNeed !== undefined && isLeaf) this.#omittedFields = [...this.#omittedFields, scopeNeed]
    if (scopeNeed !== undefined && !isLeaf) this.#requiredScopes = [...this.#requiredScopes, scopeNeed]
    if (declaration.kind === 'field' && declaration.deprecation !== undefined)
      this.#deprecations = [...this.#deprecations, declaration.deprecation]
  }
}
