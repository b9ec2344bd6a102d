import { badParameter, GraphError } from '../base/faults.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import type { Registry } from '../schema/registry.ts'
import { isInVersion } from '../schema/version.ts'
import { readEdgeModifiers, windowOf } from './edge-modifiers.ts'
import { fieldStep } from './field-step.ts'
import type { BoundWindow, EdgePlan, Plan, Problem, Selection, Step } from './plan.ts'
import { selectionOf, TypePlanBuilder } from './type-plan.ts'
import { unknownName } from './unknown-name.ts'

/** What a type, or the edge that leads to it, declares under a name. */
type Declared =
  | { readonly kind: 'id' }
  | { readonly kind: 'field'; readonly field: Field; readonly entry: boolean }
  | { readonly kind: 'edge'; readonly edge: EdgeType }

/** Where an expression is compiled: for nodes of these types, reached by this edge or by none. */
type Place = { readonly types: readonly string[]; readonly edge: EdgeType | undefined }

const plainItem = (name: string): FieldItem => ({ name, key: name, modifiers: [], fields: undefined })

/** Compiles one expression: holds what is gathered on the way. */
class Compiler {
  readonly problems: Problem[] = []
  readonly windows: BoundWindow[] = []
  readonly #registry: Registry
  readonly #version: string
  readonly #largestPage: number

  constructor(registry: Registry, version: string, largestPage: number) {
    this.#registry = registry
    this.#version = version
    this.#largestPage = largestPage
  }

  selection(place: Place, expression: FieldExpression | undefined): Selection {
    const builders = place.types.map(type => new TypePlanBuilder(type))
    if (expression === undefined || expression.length === 0) {
      for (const builder of builders) this.#addDefaults(place, builder)
    } else {
      for (const item of expression) this.#addItem(place, builders, item)
    }
    return selectionOf(builders.map(builder => builder.build()))
  }

  #addDefaults(place: Place, builder: TypePlanBuilder): void {
    for (const name of place.edge?.defaults ?? this.#defaultsOf(builder.type)) {
      const declared = this.#declared(place, builder.type, name)
      if (declared !== undefined && this.#isHere(declared)) this.#addStep(builder, plainItem(name), declared)
    }
  }

  #defaultsOf(type: string): readonly string[] {
    const fields = Object.entries(this.#registry.type(type)?.fields ?? {})
    return fields.filter(([, field]) => field.default).map(([name]) => name)
  }

  #declared(place: Place, type: string, name: string): Declared | undefined {
    if (name === 'id') return { kind: 'id' }
    const ofEdge =
      place.edge !== undefined && Object.hasOwn(place.edge.fields, name) ? place.edge.fields[name] : undefined
    if (ofEdge !== undefined) return { kind: 'field', field: ofEdge, entry: true }
    const field = this.#registry.field(type, name)
    if (field !== undefined) return { kind: 'field', field, entry: false }
    const edge = this.#registry.edge(type, name)
    return edge && { kind: 'edge', edge }
  }

  #isHere(declared: Declared): boolean {
    return declared.kind !== 'field' || isInVersion(declared.field, this.#version)
  }

  /** An item is at fault where no type has its name; the types that have it not leave it out. */
  #addItem(place: Place, builders: readonly TypePlanBuilder[], item: FieldItem): void {
    let gated: Field | undefined
    let found = false
    for (const builder of builders) {
      const declared = this.#declared(place, builder.type, item.name)
      if (declared === undefined) continue
      if (this.#isHere(declared)) found = this.#addStep(builder, item, declared)
      else if (declared.kind === 'field') gated = declared.field
    }
    if (found) return
    const fault =
      gated === undefined
        ? () => unknownName(this.#registry, place.types, place.edge, item.name)
        : () => this.#notInVersion(item.name, gated)
    this.problems.push({ soft: true, fault })
  }

  #addStep(builder: TypePlanBuilder, item: FieldItem, declared: Declared): true {
    try {
      const step = this.#step(builder, item, declared)
      if (step !== undefined) builder.add(step)
      if (declared.kind === 'field') builder.noteField(item.name, declared.field)
      if (declared.kind === 'edge') builder.noteEdge(item.name, declared.edge)
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      const { message, data } = error
      this.problems.push({ soft: false, fault: () => new GraphError(data.reason, message, data) })
    }
    return true
  }

  #step(builder: TypePlanBuilder, item: FieldItem, declared: Declared): Step {
    if (declared.kind === 'edge') {
      return {
        kind: 'edge',
        key: item.key,
        cell: builder.nextCell,
        edge: this.#edgePlan(item, declared.edge),
      }
    }
    if (declared.kind === 'id' && item.modifiers.length > 0) {
      throw badParameter(item.modifiers[0]?.name ?? '', 'id without modifiers', 'one')
    }
    const isRef = declared.kind === 'field' && declared.field.kind === 'ref'
    if (item.fields !== undefined && !isRef) {
      throw badParameter(item.name, 'no list of fields, since it leads to no node', 'one')
    }
    if (declared.kind === 'id') return { kind: 'id', asked: true }
    const selectionOfRef = (targets: readonly string[]): Selection =>
      this.selection({ types: targets, edge: undefined }, item.fields)
    return fieldStep(item, declared.field, declared.entry, builder.nextCell, selectionOfRef)
  }

  #edgePlan(item: FieldItem, edge: EdgeType): EdgePlan {
    const shape = readEdgeModifiers(item, edge, this.#largestPage)
    const window = windowOf(item, shape.order)
    if ('slots' in window) this.windows.push(window)
    const selection = this.selection({ types: edge.targets, edge }, item.fields)
    return { name: item.name, ...shape, selection, window }
  }

  #notInVersion(name: string, { since, removedIn }: Field): GraphError {
    const version = this.#version
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
  const selection = compiler.selection({ types, edge }, expression)
  return Object.freeze({ selection, problems: compiler.problems, windows: compiler.windows })
}
