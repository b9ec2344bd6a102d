import { GraphError } from '../base/errors.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { RefField } from '../schema/field.ts'
import { readOrder } from './arguments.ts'
import type { Declarations } from './declarations.ts'
import { type EdgeModifiers, readEdgeModifiers, readGivenParameters } from './edge-modifiers.ts'
import { type ChosenList, createEdgeList, isSameList, parseListValues } from './edge-parameters.ts'
import { createEdgePlan } from './edge-plan.ts'
import { sortByTextOrder, withoutInvalidItems } from './expression-items.ts'
import { createNameErrorGetter } from './not-found-errors.ts'
import { findOpeningErrors } from './opening-limit.ts'
import type { Declaration, ParentTypes } from './parent-types.ts'
import type { EdgePlan, Plan, PlanError, Selection, TypePlan } from './plan.ts'
import { createStep, type Subselections } from './steps.ts'
import { createSelection, TypePlanBuilder } from './type-plan.ts'
import type { WindowTemplate } from './window.ts'

/** Compiles one expression, and collects its errors and windows. */
class Compiler {
  readonly declarations: Declarations
  readonly maxPageSize: number
  readonly windowTemplates: WindowTemplate[] = []
  /** The number of steps of all type plans that were built. */
  stepCount = 0
  readonly #errors: PlanError[] = []
  /** The items that at least one type accepts. The plans of other types leave these items out. */
  readonly #acceptedItems: FieldItem[] = []

  constructor(declarations: Declarations, maxPageSize: number) {
    this.declarations = declarations
    this.maxPageSize = maxPageSize
  }

  /** Whether no type has rejected an item so far. */
  get isValid(): boolean {
    return this.#errors.length === 0
  }

  /** Returns the errors of the items that no type accepts. */
  collectErrors(): readonly PlanError[] {
    if (this.isValid) return this.#errors
    const acceptedItems = new Set(this.#acceptedItems)
    return this.#errors.filter(({ item }) => !acceptedItems.has(item))
  }

  onFound(item: FieldItem): void {
    this.#acceptedItems.push(item)
  }

  onMissing(item: FieldItem, createError: () => GraphError): void {
    this.#errors.push({ isTolerable: true, createError, item })
  }

  /** Compiles the plan of each parent type, in their order. */
  compileTypePlans(parentTypes: ParentTypes, expression: FieldExpression): readonly TypePlan[] {
    const builders = parentTypes.map(parentType => new TypePlanBuilder(parentType))
    for (const item of expression) this.#addItem(parentTypes, builders, item)
    // Each plan has one step for the id, whether the id is requested or not.
    this.stepCount += builders.length
    return builders.map(builder => builder.build())
  }

  /** Adds an item to the types that have its name. Reports an error if no type has it. */
  #addItem(parentTypes: ParentTypes, builders: readonly TypePlanBuilder[], item: FieldItem): void {
    const itemCompiler = new ItemCompiler(this, item, parentTypes)
    let isKnown = false
    for (const builder of builders) {
      const declaration = builder.parentType.declarations.get(item.name)
      if (declaration === undefined) continue
      isKnown = true
      this.#addStep(builder, declaration, itemCompiler)
    }
    if (!isKnown) this.onMissing(item, createNameErrorGetter(this.declarations, parentTypes, item.name))
  }

  #addStep(builder: TypePlanBuilder, declaration: Declaration, itemCompiler: ItemCompiler): void {
    const { item } = itemCompiler
    try {
      builder.add(createStep(item, declaration, builder, itemCompiler), declaration)
      if (declaration.kind !== 'id') this.stepCount++
      this.onFound(item)
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      const { message, reason, data } = error
      this.#errors.push({
        isTolerable: false,
        createError: () => new GraphError(reason, message, data),
        item,
      })
    }
  }
}

/**
 * Compiles one item for all parent types. The targets of the item are compiled together for all parent types,
 * when they are first needed.
 */
class ItemCompiler implements Subselections {
  readonly item: FieldItem
  readonly #compiler: Compiler
  readonly #parentTypes: ParentTypes
  #selectionsByTarget: ReadonlyMap<ParentTypes, Selection> | undefined
  #modifiers: EdgeModifiers | undefined
  readonly #edgePlans: (ChosenList & { readonly plan: EdgePlan })[] = []

  constructor(compiler: Compiler, item: FieldItem, parentTypes: ParentTypes) {
    this.item = item
    this.#compiler = compiler
    this.#parentTypes = parentTypes
  }

  get version(): string {
    return this.#compiler.declarations.version
  }

  onFound(inner: FieldItem): void {
    this.#compiler.onFound(inner)
  }

  onMissing(inner: FieldItem, createError: () => GraphError): void {
    this.#compiler.onMissing(inner, createError)
  }

  getTargetSelection(edgeOrRef: EdgeType | RefField): Selection {
    const { fields } = this.item
    const { declarations } = this.#compiler
    const target = declarations.targetOf(edgeOrRef)
    if (fields === undefined || fields.length === 0) return declarations.defaultSelectionOf(target)
    this.#selectionsByTarget ??= this.#compileTargets(fields)
    const selection = this.#selectionsByTarget.get(target.types)
    if (selection === undefined) throw new Error(`${this.item.name} has no selection for its target`)
    return selection
  }

  /** Returns the plan of an edge. Edges that are read in the same way share one plan. */
  getEdgePlan(edge: EdgeType): EdgePlan {
    const { item } = this
    const { declarations, maxPageSize, windowTemplates } = this.#compiler
    const { registry } = declarations
    const { isSlotParameter } = registry
    const parameters = readGivenParameters(item, edge, isSlotParameter)
    this.#modifiers ??= readEdgeModifiers(item, maxPageSize, isSlotParameter)
    const order = readOrder(edge, this.#modifiers.order)
    const selection = this.getTargetSelection(edge)
    const values = parseListValues(edge, parameters.given)
    const edgeList = createEdgeList(registry, item.name, edge, order, parameters.given, values)
    const chosen = { edgeList, parameters }
    const knownPlan = this.#edgePlans.find(
      known => known.plan.selection === selection && isSameList(known, chosen),
    )?.plan
    if (knownPlan !== undefined) return knownPlan
    const plan = createEdgePlan(edge, {
      item,
      edgeList,
      modifiers: this.#modifiers,
      parameters,
      selection,
      getLinkFields: this.#createLinkFieldsGetter(edge),
      isSlotParameter,
    })
    if ('slots' in plan.window) windowTemplates.push(plan.window)
    this.#edgePlans.push({ edgeList, parameters, plan })
    return plan
  }

  #createLinkFieldsGetter(edge: EdgeType): () => FieldExpression | undefined {
    const { declarations, maxPageSize, isValid } = this.#compiler
    const hasOneTarget = this.#selectionsByTarget === undefined || this.#selectionsByTarget.size === 1
    const { fields } = this.item
    if (hasOneTarget && isValid) return createFieldsGetter(fields)
    return createValidFieldsGetter(edge, fields, declarations, maxPageSize)
  }

  /** Compiles the selection of each target of the item. */
  #compileTargets(fields: FieldExpression): ReadonlyMap<ParentTypes, Selection> {
    const targets = this.#compiler.declarations.findTargetsOfName(this.#parentTypes, this.item.name)
    const [onlyTarget] = targets
    if (onlyTarget !== undefined && targets.length === 1)
      return new Map<ParentTypes, Selection>().set(
        onlyTarget,
        createSelection(this.#compiler.compileTypePlans(onlyTarget, fields)),
      )
    const allTypes = [...new Set(targets.flat())]
    const typePlans = this.#compiler.compileTypePlans(allTypes, fields)
    const planByType = new Map(allTypes.map((parentType, index) => [parentType, typePlans[index]]))
    const plansOf = (target: ParentTypes): TypePlan[] => target.flatMap(type => planByType.get(type) ?? [])
    return new Map(targets.map(target => [target, createSelection(plansOf(target))]))
  }
}

/**
 * Creates a function that returns the fields of an item for the links of its pages. The function keeps
 * nothing else in memory.
 */
const createFieldsGetter = (fields: FieldItem['fields']) => () => fields

/** Creates a function that returns the fields of an item for the links of one edge, without invalid names. */
const createValidFieldsGetter =
  (edge: EdgeType, fields: FieldItem['fields'], declarations: Declarations, maxPageSize: number) =>
  (): FieldExpression | undefined => {
    if (fields === undefined) return undefined
    const input = { declarations, types: edge.targets, edge, maxPageSize }
    return withoutInvalidItems(fields, expression => compile({ ...input, expression }).errors)
  }

const countSteps = ({ types }: Selection): number =>
  [...types.values()].reduce((sum, { steps }) => sum + steps.length, 0)

/** The input of a compilation: an expression for nodes of `types`, or for entries of `edge`. */
export type CompileInput = {
  readonly declarations: Declarations
  readonly types: readonly string[]
  readonly edge: EdgeType | undefined
  /**
   * The expression to compile. If it is undefined or empty, the default fields are selected. Values that
   * differ between pages are slots.
   */
  readonly expression: FieldExpression | undefined
  readonly maxPageSize: number
}

/**
 * Compiles an expression for the given types in one version. The plan includes the errors of the expression.
 */
export const compile = ({ declarations, types, edge, expression = [], maxPageSize }: CompileInput): Plan => {
  const compiler = new Compiler(declarations, maxPageSize)
  const parent = declarations.parentOf(types, edge)
  const selection =
    expression.length === 0
      ? declarations.defaultSelectionOf(parent)
      : createSelection(compiler.compileTypePlans(parent.types, expression))
  const itemErrors = sortByTextOrder(compiler.collectErrors(), expression)
  // The errors of the items take precedence over the errors of the whole expression.
  const errors =
    selection.openings.size === 0
      ? itemErrors
      : [...itemErrors, ...findOpeningErrors(selection, edge, expression)]
  const windowTemplates = sortByTextOrder(compiler.windowTemplates, expression)
  const stepCount = expression.length === 0 ? countSteps(selection) : compiler.stepCount
  return Object.freeze({
    selection,
    errors,
    windowTemplates,
    weight: stepCount + errors.length + windowTemplates.length,
  })
}
