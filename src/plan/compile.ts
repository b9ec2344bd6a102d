import { describe } from '../base/describe.ts'
import { badParameter, GraphError } from '../base/faults.ts'
import { isInVersion } from '../base/version.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import type { Registry } from '../schema/registry.ts'
import { type Area, Declarations, type Declared, type Place, plainItem } from './declarations.ts'
import { readEdgeModifiers, windowOf } from './edge-modifiers.ts'
import { faultless } from './faultless.ts'
import { fieldStep } from './field-step.ts'
import { memberOf } from './member.ts'
import { nothingInside } from './picked-type.ts'
import type { BoundWindow, EdgePlan, Plan, Problem, Selection, Step } from './plan.ts'
import { inOrder } from './problem-order.ts'
import { selectionOf, TypePlanBuilder } from './type-plan.ts'
import { unknownName } from './unknown-name.ts'

/** Compiles one expression: holds what is gathered on the way. */
class Compiler {
  readonly #problems: Problem[] = []
  readonly windows: BoundWindow[] = []
  readonly #registry: Registry
  readonly #declarations: Declarations
  readonly #largestPage: number
  /** The items that some place takes: where another cannot, it leaves them out. */
  readonly #taken = new Set<FieldItem>()
  readonly #areas = new Map<FieldItem, ReadonlyMap<EdgeType | Field, Place>>()
  readonly #selections = new Map<Place, Selection>()
  readonly #edgePlans = new Map<Selection, EdgePlan>()

  constructor(registry: Registry, version: string, largestPage: number) {
    this.#registry = registry
    this.#declarations = new Declarations(registry, version)
    this.#largestPage = largestPage
  }

  /** What is wrong with the items: at fault where no place takes them. */
  get problems(): readonly Problem[] {
    return this.#problems.filter(({ item }) => !this.#taken.has(item))
  }

  selection(place: Place, area: Area, expression: FieldExpression | undefined): Selection {
    const builders = place.types.map(type => new TypePlanBuilder(type, this.#registry.type(type)))
    if (expression === undefined || expression.length === 0) {
      for (const builder of builders) this.#addDefaults(place, builder)
    } else {
      for (const item of expression) this.#addItem(place, area, builders, item)
    }
    return selectionOf(builders.map(builder => builder.build()))
  }

  #addDefaults(place: Place, builder: TypePlanBuilder): void {
    for (const name of place.edge?.defaults ?? this.#registry.defaultsOf(builder.type)) {
      const declared = this.#declarations.find(place, builder.type, name)
      if (declared !== undefined && this.#declarations.isHere(declared)) {
        this.#addStep(builder, plainItem(name), declared, [place])
      }
    }
  }

  /** Types without the name leave it out; it is at fault where it is found nowhere in the area. */
  #addItem(place: Place, area: Area, builders: readonly TypePlanBuilder[], item: FieldItem): void {
    for (const builder of builders) {
      const declared = this.#declarations.find(place, builder.type, item.name)
      if (declared !== undefined && this.#declarations.isHere(declared))
        this.#addStep(builder, item, declared, area)
    }
    if (area[0] === place) this.#judge(area, item)
  }

  #judge(area: Area, item: FieldItem): void {
    const { name } = item
    const all = this.#declarations.findAll(area, name)
    if (all.some(declared => this.#declarations.isHere(declared))) return
    const [gated] = all.flatMap(declared => (declared.kind === 'field' ? [declared.field] : []))
    const types = [...new Set(area.flatMap(place => place.types))]
    const fault =
      gated === undefined
        ? () => unknownName(this.#registry, types, area[0]?.edge, name)
        : () => this.#notInVersion(name, gated)
    this.#problems.push({ soft: true, fault, item })
  }

  /** Where an item of an area leads to: once for each edge or ref that is declared under its name. */
  #below(area: Area, item: FieldItem): ReadonlyMap<EdgeType | Field, Place> {
    const known = this.#areas.get(item)
    if (known !== undefined) return known
    const below = new Map<EdgeType | Field, Place>()
    for (const declared of this.#declarations.findAll(area, item.name)) {
      if (declared.kind === 'edge')
        below.set(declared.edge, { types: declared.edge.targets, edge: declared.edge })
      else if (
        declared.kind === 'field' &&
        declared.field.kind === 'ref' &&
        this.#declarations.isHere(declared)
      ) {
        below.set(declared.field, { types: declared.field.targets, edge: undefined })
      }
    }
    this.#areas.set(item, below)
    return below
  }

  /** What is answered of the nodes that an item leads to; compiled once, however many types declare it. */
  #selectionBelow(area: Area, item: FieldItem, declared: EdgeType | Field): Selection {
    const below = this.#below(area, item)
    const place = below.get(declared)
    if (place === undefined) throw new Error(`${item.name} is declared outside of its area`)
    const known = this.#selections.get(place)
    const selection = known ?? this.selection(place, [...below.values()], item.fields)
    this.#selections.set(place, selection)
    return selection
  }

  #addStep(builder: TypePlanBuilder, item: FieldItem, declared: Declared, area: Area): void {
    try {
      builder.add(this.#step(builder, item, declared, area))
      this.#taken.add(item)
      if (declared.kind === 'field') builder.noteField(item.name, declared.field)
      if (declared.kind === 'edge') builder.noteEdge(item.name, declared.edge)
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      const { message, data } = error
      this.#problems.push({ soft: false, fault: () => new GraphError(data.reason, message, data), item })
    }
  }

  #step(builder: TypePlanBuilder, item: FieldItem, declared: Declared, area: Area): Step {
    const cell = builder.nextCell
    if (declared.kind === 'edge') {
      const edge = this.#edgePlan(item, declared.edge, area)
      return { kind: 'edge', ...memberOf(item.key), cell, edge, guard: builder.guardBy(declared.edge.policy) }
    }
    const [modifier] = item.modifiers
    if (declared.kind === 'id' && modifier !== undefined) {
      throw badParameter(modifier.name, 'no modifier on id, which keeps its name', describe(modifier.name))
    }
    const hasInside =
      declared.kind === 'field' && (declared.field.kind === 'ref' || declared.field.kind === 'value')
    if (item.fields !== undefined && !hasInside) throw nothingInside(item)
    if (declared.kind === 'id') return { kind: 'id', asked: true }
    const { field, entry } = declared
    const place = { entry, cell, guard: builder.guardBy(field.policy) }
    return fieldStep(item, field, place, {
      selection: () => this.#selectionBelow(area, item, field),
      found: inner => this.#taken.add(inner),
      missed: (inner, fault) => this.#problems.push({ soft: true, fault, item: inner }),
    })
  }

  /** How the edge of an item is read; compiled once, however many places it is asked at. */
  #edgePlan(item: FieldItem, edge: EdgeType, area: Area): EdgePlan {
    const shape = readEdgeModifiers(item, edge, this.#largestPage)
    const selection = this.#selectionBelow(area, item, edge)
    const known = this.#edgePlans.get(selection)
    if (known !== undefined) return known
    const linked = this.#linked(item.fields, edge, this.#below(area, item).size === 1)
    const window = windowOf(item, linked, shape.order, selection.appScoped)
    if ('slots' in window) this.windows.push(window)
    const plan = { name: item.name, ...shape, selection, window }
    this.#edgePlans.set(selection, plan)
    return plan
  }

  /** What a link asks of one edge alone, where names that only other places have, or that none has, would be at fault. */
  #linked(
    fields: FieldExpression | undefined,
    edge: EdgeType,
    isAlone: boolean,
  ): () => FieldExpression | undefined {
    if (fields === undefined || (isAlone && this.#problems.length === 0)) return () => fields
    const input = {
      registry: this.#registry,
      version: this.#declarations.version,
      types: edge.targets,
      edge,
      largestPage: this.#largestPage,
    }
    return () => faultless(fields, expression => compile({ ...input, expression }).problems)
  }

  #notInVersion(name: string, { since, removedIn }: Field): GraphError {
    const { version } = this.#declarations
    const early = since !== undefined && !isInVersion({ since, removedIn: undefined }, version)
    const why = early
      ? `requires version ${since} or higher`
      : `is not there in version ${removedIn} and higher`
    return new GraphError('not_in_version', `(#12) Field ${name} ${why}`, { name, version })
  }
}

/** What is compiled: for nodes of `types`, or for the entries of `edge` that leads to them. */
export type CompileInput = {
  readonly registry: Registry
  readonly version: string
  readonly types: readonly string[]
  readonly edge: EdgeType | undefined
  /** Undefined or empty: the defaults. Values that differ from page to page are slots. */
  readonly expression: FieldExpression | undefined
  readonly largestPage: number
}

/** Compiles an expression for some types in one version. Never throws: what is wrong with it is in `problems`. */
export const compile = ({ registry, version, types, edge, expression, largestPage }: CompileInput): Plan => {
  const compiler = new Compiler(registry, version, largestPage)
  const place = { types, edge }
  const selection = compiler.selection(place, [place], expression)
  return Object.freeze({
    selection,
    problems: inOrder(compiler.problems, expression ?? []),
    windows: compiler.windows,
  })
}
