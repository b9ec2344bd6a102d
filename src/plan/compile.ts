import { describe } from '../base/describe.ts'
import { badParameter, GraphError } from '../base/faults.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { RefField } from '../schema/field.ts'
import type { Declarations } from './declarations.ts'
import { type EdgeAsked, readEdgeModifiers, windowOf } from './edge-modifiers.ts'
import { faultless } from './faultless.ts'
import { type Below, fieldStep } from './field-step.ts'
import { memberOf } from './member.ts'
import { metadataStep } from './metadata-step.ts'
import { openedTooOften } from './opened-too-often.ts'
import { nothingInside } from './picked-type.ts'
import type { Area, Declared, DeclaredMetadata } from './place.ts'
import type { BoundWindow, EdgePlan, Plan, Problem, Selection, Step, TypePlan } from './plan.ts'
import { inOrder } from './text-order.ts'
import { selectionOf, TypePlanBuilder } from './type-plan.ts'
import { unknownName } from './unknown-name.ts'

/** Compiles one expression: holds what is gathered on the way. */
class Compiler {
  readonly declarations: Declarations
  readonly largestPage: number
  readonly windows: BoundWindow[] = []
  /** The steps of all type plans that were built. */
  steps = 0
  readonly #problems: Problem[] = []
  /** The items that some type takes: where another cannot, it leaves them out. */
  readonly #taken: FieldItem[] = []

  constructor(declarations: Declarations, largestPage: number) {
    this.declarations = declarations
    this.largestPage = largestPage
  }

  /** Whether anything was at fault anywhere so far. */
  get isSound(): boolean {
    return this.#problems.length === 0
  }

  /** What is wrong with the items: at fault where no type takes them. */
  problems(): readonly Problem[] {
    if (this.isSound) return this.#problems
    const taken = new Set(this.#taken)
    return this.#problems.filter(({ item }) => !taken.has(item))
  }

  found(item: FieldItem): void {
    this.#taken.push(item)
  }

  missed(item: FieldItem, fault: () => GraphError): void {
    this.#problems.push({ soft: true, fault, item })
  }

  /** What is answered of each type of an area, in its order. */
  plansOf(area: Area, expression: FieldExpression): readonly TypePlan[] {
    const builders = area.map(place => new TypePlanBuilder(place))
    for (const item of expression) this.#addItem(area, builders, item)
    // Each has one step for its id, requested or not.
    this.steps += builders.length
    return builders.map(builder => builder.build())
  }

  /** Types without the name leave it out; it is at fault where none has it. */
  #addItem(area: Area, builders: readonly TypePlanBuilder[], item: FieldItem): void {
    const branch = new Branch(this, item, area)
    let isKnown = false
    for (const builder of builders) {
      const declared = builder.place.names.get(item.name)
      if (declared === undefined) continue
      isKnown = true
      this.#addStep(builder, declared, branch)
    }
    if (!isKnown) this.missed(item, faultOfUnknown(this.declarations, area, item.name))
  }

  #addStep(builder: TypePlanBuilder, declared: Declared, branch: Branch): void {
    const { item } = branch
    try {
      builder.add(stepOf(builder, declared, branch), declared)
      if (declared.kind !== 'id') this.steps++
      this.found(item)
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      const { message, data } = error
      this.#problems.push({ soft: false, fault: () => new GraphError(data.reason, message, data), item })
    }
  }
}

/** One item, asked of all types of an area: what it leads to is compiled for all of them together, when first needed. */
class Branch implements Below {
  readonly item: FieldItem
  readonly #compiler: Compiler
  readonly #area: Area
  #below: ReadonlyMap<Area, Selection> | undefined
  #asked: EdgeAsked | undefined
  readonly #edges: EdgePlan[] = []

  constructor(compiler: Compiler, item: FieldItem, area: Area) {
    this.item = item
    this.#compiler = compiler
    this.#area = area
  }

  found(inner: FieldItem): void {
    this.#compiler.found(inner)
  }

  missed(inner: FieldItem, fault: () => GraphError): void {
    this.#compiler.missed(inner, fault)
  }

  selectionBehind(link: EdgeType | RefField): Selection {
    const { fields } = this.item
    const place = this.#compiler.declarations.behind(link)
    if (fields === undefined || fields.length === 0) return place.defaults()
    this.#below ??= this.#compileBelow(fields)
    const selection = this.#below.get(place.area)
    if (selection === undefined) throw new Error(`${this.item.name} leads out of its area`)
    return selection
  }

  metadataStep(type: string, { described }: DeclaredMetadata): Step {
    const { version } = this.#compiler.declarations
    return metadataStep(this.item, { type, declared: described, version }, this)
  }

  /** How an edge is read; edges that are read alike share it. */
  edgePlan(edge: EdgeType): EdgePlan {
    const { item } = this
    const { declarations, largestPage, windows } = this.#compiler
    this.#asked ??= readEdgeModifiers(item, largestPage)
    const { limit, summary, order = edge.order } = this.#asked
    const selection = this.selectionBehind(edge)
    const known = this.#edges.find(plan => plan.selection === selection && plan.order === order)
    if (known !== undefined) return known
    const isAlone = this.#below === undefined || this.#below.size === 1
    const isGiven = isAlone && this.#compiler.isSound
    const fields = isGiven ? given(item) : faultlessAt(edge, item, declarations, largestPage)
    const window = windowOf(item, this.#asked, fields, order, selection.appScoped)
    if ('slots' in window) windows.push(window)
    const plan = { name: item.name, order, limit, summary, selection, window }
    this.#edges.push(plan)
    return plan
  }

  /** What is answered of each area that the item leads to. */
  #compileBelow(fields: FieldExpression): ReadonlyMap<Area, Selection> {
    const areas = this.#areasBelow()
    const [only] = areas
    if (only !== undefined && areas.length === 1)
      return new Map<Area, Selection>().set(only, selectionOf(this.#compiler.plansOf(only, fields)))
    const all = [...new Set(areas.flat())]
    const compiled = this.#compiler.plansOf(all, fields)
    const plans = new Map(all.map((place, index) => [place, compiled[index]]))
    const plansOf = (area: Area): TypePlan[] => area.flatMap(place => plans.get(place) ?? [])
    return new Map(areas.map(area => [area, selectionOf(plansOf(area))]))
  }

  #areasBelow(): readonly Area[] {
    const areas: Area[] = []
    for (const { names } of this.#area) {
      const declared = names.get(this.item.name)
      const link = declared && linkOf(declared)
      if (link !== undefined) areas.push(this.#compiler.declarations.behind(link).area)
    }
    const [first] = areas
    return first === undefined || areas.every(area => area === first)
      ? areas.slice(0, 1)
      : [...new Set(areas)]
  }
}

/** What leads to nodes. */
const linkOf = (declared: Declared): EdgeType | RefField | undefined => {
  if (declared.kind === 'edge') return declared.edge
  return declared.kind === 'field' && declared.field.kind === 'ref' ? declared.field : undefined
}

const stepOf = (builder: TypePlanBuilder, declared: Declared, branch: Branch): Step => {
  const { item } = branch
  if (declared.kind === 'field') return fieldStep(item, declared, builder, branch)
  if (declared.kind === 'edge') {
    const { key, first, later } = memberOf(item.key)
    const edge = branch.edgePlan(declared.edge)
    const guard = builder.guardBy(declared.edge.policy)
    return { kind: 'edge', key, first, later, cell: builder.nextCell, edge, guard }
  }
  if (declared.kind === 'metadata') return branch.metadataStep(builder.place.type, declared)
  const [modifier] = item.modifiers
  if (modifier !== undefined)
    throw badParameter(modifier.name, 'no modifier on id, which keeps its name', describe(modifier.name))
  if (item.fields !== undefined) throw nothingInside(item)
  return declared.step
}

/** The fields of an item as they were given. Apart, as all that makes what a plan keeps: it would keep what is around it. */
const given =
  ({ fields }: FieldItem) =>
  () =>
    fields

/** What a link asks of one edge alone, where names that only other places have, or that none has, would be at fault. */
const faultlessAt =
  (edge: EdgeType, { fields }: FieldItem, declarations: Declarations, largestPage: number) =>
  (): FieldExpression | undefined => {
    if (fields === undefined) return undefined
    const input = { declarations, types: edge.targets, edge, largestPage }
    return faultless(fields, expression => compile({ ...input, expression }).problems)
  }

const faultOfUnknown = (declarations: Declarations, area: Area, name: string) => (): GraphError =>
  unknownName(declarations, area, name)

const stepsOf = ({ types }: Selection): number =>
  [...types.values()].reduce((sum, { steps }) => sum + steps.length, 0)

/** What is compiled: for nodes of `types`, or for the entries of `edge` that leads to them. */
export type CompileInput = {
  readonly declarations: Declarations
  readonly types: readonly string[]
  readonly edge: EdgeType | undefined
  /** Undefined or empty: the defaults. Values that differ from page to page are slots. */
  readonly expression: FieldExpression | undefined
  readonly largestPage: number
}

/** Compiles an expression for some types in one version. Never throws: what is wrong with it is in `problems`. */
export const compile = ({ declarations, types, edge, expression = [], largestPage }: CompileInput): Plan => {
  const compiler = new Compiler(declarations, largestPage)
  const place = declarations.placeOf(types, edge)
  const selection =
    expression.length === 0 ? place.defaults() : selectionOf(compiler.plansOf(place.area, expression))
  const found = inOrder(compiler.problems(), expression)
  const often = openedTooOften(selection, edge, expression)
  // The whole expression is too wide, not one of its items: this comes after what is wrong with the items.
  const problems = often.length === 0 ? found : [...found, ...often]
  const windows = inOrder(compiler.windows, expression)
  const steps = expression.length === 0 ? stepsOf(selection) : compiler.steps
  return Object.freeze({ selection, problems, windows, weight: steps + problems.length + windows.length })
}
