import type { Policy } from '../schema/policy.ts'
import { costOfList } from './list-cost.ts'
import type { Declared, TypePlace } from './place.ts'
import type { EdgePlan, Openings, ScopeNeed, Selection, Step, TypePlan } from './plan.ts'

type Cell = TypePlan['cells'][number]

const NONE: readonly never[] = Object.freeze([])

/** The cost of a field that looks for an edge of the record to the viewer. */
const VIEWER_EDGE = 1

const UNASKED_ID: Step = Object.freeze({ kind: 'id', asked: false })

/** What is noted here, then what is noted there, each thing once. */
const joined = <TNote>(here: readonly TNote[], there: readonly TNote[]): readonly TNote[] => {
  if (there.length === 0 || here === there) return here
  return here.length === 0 ? there : [...new Set([...here, ...there])]
}

const NO_OPENINGS: Openings = new Map()

/** Openings of one part of an expression and of another. */
const plus = (here: Openings, there: Openings): Openings => {
  if (there.size === 0) return here
  if (here.size === 0) return there
  const sum = new Map(here)
  for (const [edge, times] of there) sum.set(edge, times + (sum.get(edge) ?? 0))
  return sum
}

/** A record is of one type, so that the worst of several types is the largest of them, not their sum. */
export const selectionOf = (plans: readonly TypePlan[]): Selection => {
  const types = new Map<string, TypePlan>()
  const only = plans.length === 1 ? plans[0] : undefined
  let policed = false
  let appScoped = false
  let cost = 0
  let values = 0
  let scanned = 0
  let openings = NO_OPENINGS
  let waves = 0
  let refused: Selection['refused'] = NONE
  let omitted: Selection['omitted'] = NONE
  let deprecations: Selection['deprecations'] = NONE
  for (const plan of plans) {
    types.set(plan.type, plan)
    policed ||= plan.policy !== undefined
    appScoped ||= plan.appScoped
    cost = Math.max(cost, plan.cost)
    values = Math.max(values, plan.values)
    scanned = Math.max(scanned, plan.scanned)
    openings = plus(openings, plan.openings)
    waves = Math.max(waves, plan.waves)
    refused = joined(refused, plan.refused)
    omitted = joined(omitted, plan.omitted)
    deprecations = joined(deprecations, plan.deprecations)
  }
  return Object.freeze({
    types,
    only,
    policed,
    appScoped,
    cost,
    values,
    scanned,
    openings,
    waves,
    refused,
    omitted,
    deprecations,
  })
}

/** A value that is heavier than others, such as a list, is worth so many of them for each 1 of its cost. */
const HEAVY = 10

/** The work of one record: its steps, and more for those of which the values are large. */
export const workOf = (steps: number, ownCost: number): number => steps + HEAVY * ownCost

/** Puts together what is answered of the records of one type. */
export class TypePlanBuilder {
  readonly place: TypePlace
  readonly #steps: Step[] = []
  readonly #cells: Cell[] = []
  #hasId = false
  #guards: readonly Policy[] = NONE
  #refused: readonly ScopeNeed[] = NONE
  #omitted: readonly ScopeNeed[] = NONE
  #deprecations: readonly string[] = NONE
  #refusedBelow: readonly ScopeNeed[] = NONE
  #omittedBelow: readonly ScopeNeed[] = NONE
  #deprecationsBelow: readonly string[] = NONE
  #ownCost: number
  #costBelow = 0
  #values = 0
  #scanned = 0
  #openings = NO_OPENINGS
  #waves = 0

  constructor(place: TypePlace) {
    this.place = place
    this.#ownCost = place.rulesWithChecks
  }

  get nextCell(): number {
    return this.#cells.length
  }

  /** The index of a guard for a step under a policy. */
  guardBy(policy: Policy | undefined): number | undefined {
    if (policy === undefined) return undefined
    if (!this.#guards.includes(policy)) this.#guards = [...this.#guards, policy]
    return this.#guards.indexOf(policy)
  }

  /** Adds the step for what was declared. */
  add(step: Step, declared: Declared): void {
    this.#steps.push(step)
    if (step.kind === 'id') this.#hasId = true
    if ('cost' in step) this.#ownCost += step.cost
    if ('cell' in step) this.#addCell(step)
    if (declared.kind !== 'id') this.#note(declared)
  }

  build(): TypePlan {
    const { type, declared } = this.place
    if (!this.#hasId) this.#steps.push(UNASKED_ID)
    // The lists of steps are copied, since those that grew keep room for more, and plans are kept.
    return Object.freeze({
      type,
      policy: declared?.policy,
      appScoped: declared?.appScoped ?? false,
      guards: this.#guards,
      steps: this.#steps.slice(),
      cells: this.#cells.slice(),
      scoped: this.#omitted.length > 0,
      refused: joined(this.#refused, this.#refusedBelow),
      omitted: joined(this.#omitted, this.#omittedBelow),
      deprecations: joined(this.#deprecations, this.#deprecationsBelow),
      cost: this.#ownCost + this.#costBelow,
      ownCost: this.#ownCost,
      values: workOf(this.#steps.length, this.#ownCost) + this.#values,
      scanned: this.#scanned,
      openings: this.#openings,
      waves: this.#waves,
    })
  }

  #addCell(cell: Cell): void {
    this.#cells.push(cell)
    if (cell.kind === 'test') this.#addTest()
    if (cell.kind === 'ref') this.#addRef(cell.selection)
    if (cell.kind === 'edge') this.#addEdge(cell.edge)
  }

  #addTest(): void {
    this.#ownCost += VIEWER_EDGE
    this.#waves = Math.max(this.#waves, 1)
  }

  #addRef(selection: Selection): void {
    this.#costBelow += 1 + selection.cost
    this.#values += selection.values
    this.#scanned += selection.scanned
    this.#addBelow(selection)
  }

  #addEdge(edge: EdgePlan): void {
    const { limit, selection } = edge
    this.#costBelow += costOfList(edge, selection.policed, selection.cost)
    this.#values += limit * selection.values
    this.#scanned += limit * ((selection.policed ? 0 : 1) + selection.scanned)
    if (selection.policed) {
      const own = new Map([[`${this.place.type}.${edge.name}`, edge.summary ? 2 : 1]])
      this.#openings = plus(this.#openings, own)
    }
    this.#addBelow(selection)
  }

  #addBelow({ openings, waves, refused, omitted, deprecations }: Selection): void {
    this.#openings = plus(this.#openings, openings)
    this.#waves = Math.max(this.#waves, 1 + waves)
    this.#refusedBelow = joined(this.#refusedBelow, refused)
    this.#omittedBelow = joined(this.#omittedBelow, omitted)
    this.#deprecationsBelow = joined(this.#deprecationsBelow, deprecations)
  }

  #note(declared: Exclude<Declared, { kind: 'id' }>): void {
    const { need } = declared
    const isLeaf = declared.kind === 'field' && declared.field.kind !== 'ref'
    if (need !== undefined && isLeaf) this.#omitted = [...this.#omitted, need]
    if (need !== undefined && !isLeaf) this.#refused = [...this.#refused, need]
    if (declared.kind === 'field' && declared.deprecation !== undefined)
      this.#deprecations = [...this.#deprecations, declared.deprecation]
  }
}
