import type { EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import type { ScopeNeed, Selection, Step, TypePlan } from './plan.ts'

type Cell = TypePlan['cells'][number]

const largest = (plans: readonly TypePlan[], name: 'cost' | 'scanned' | 'waves'): number =>
  plans.reduce((most, plan) => Math.max(most, plan[name]), 0)

/** A record is of one type, so that the worst of several types is the largest of them, not their sum. */
export const selectionOf = (plans: readonly TypePlan[]): Selection =>
  Object.freeze({
    types: new Map(plans.map(plan => [plan.type, plan])),
    only: plans.length === 1 ? plans[0] : undefined,
    cost: largest(plans, 'cost'),
    scanned: largest(plans, 'scanned'),
    waves: largest(plans, 'waves'),
  })

const childrenOf = (cells: readonly Cell[]): TypePlan[] =>
  cells.flatMap(cell => {
    if (cell.kind === 'ref') return [...cell.selection.types.values()]
    return cell.kind === 'edge' ? [...cell.edge.selection.types.values()] : []
  })

const costOf = (cell: Cell): number => {
  if (cell.kind === 'ref') return 1 + cell.selection.cost
  return cell.kind === 'edge' ? cell.edge.limit * (1 + cell.edge.selection.cost) : 0
}

const scannedBy = (cell: Cell): number => {
  if (cell.kind === 'ref') return cell.selection.scanned
  return cell.kind === 'edge' ? cell.edge.limit * (1 + cell.edge.selection.scanned) : 0
}

const wavesOf = (cell: Cell): number => {
  if (cell.kind === 'computed') return 0
  if (cell.kind === 'test') return 1
  return 1 + (cell.kind === 'ref' ? cell.selection.waves : cell.edge.selection.waves)
}

const sum = (cells: readonly Cell[], of: (cell: Cell) => number): number =>
  cells.reduce((all, cell) => all + of(cell), 0)

/** Puts together what is answered of the records of one type. */
export class TypePlanBuilder {
  readonly type: string
  readonly #steps: Step[] = []
  readonly #cells: Cell[] = []
  readonly #refused: ScopeNeed[] = []
  readonly #omitted: ScopeNeed[] = []
  readonly #deprecations: string[] = []

  constructor(type: string) {
    this.type = type
  }

  get nextCell(): number {
    return this.#cells.length
  }

  add(step: Step): void {
    this.#steps.push(step)
    if ('cell' in step) this.#cells.push(step)
  }

  noteField(name: string, { kind, scope, deprecated }: Field): void {
    if (deprecated !== undefined)
      this.#deprecations.push(`Field ${name} of ${this.type} is deprecated: ${deprecated}`)
    if (scope === undefined) return
    const needs = kind === 'ref' ? this.#refused : this.#omitted
    needs.push({ scope, name, type: this.type })
  }

  noteEdge(name: string, { scope }: EdgeType): void {
    if (scope !== undefined) this.#refused.push({ scope, name, type: this.type })
  }

  build(): TypePlan {
    const cells = this.#cells
    // A plan below stands once, however many ways lead to it: refs to several types would multiply it at every level.
    const below = [...new Set(childrenOf(cells))]
    if (!this.#steps.some(step => step.kind === 'id')) this.#steps.push({ kind: 'id', asked: false })
    return Object.freeze({
      type: this.type,
      steps: this.#steps,
      cells,
      scoped: this.#omitted.length > 0,
      refused: [...new Set([...this.#refused, ...below.flatMap(plan => plan.refused)])],
      omitted: [...new Set([...this.#omitted, ...below.flatMap(plan => plan.omitted)])],
      deprecations: [...new Set([...this.#deprecations, ...below.flatMap(plan => plan.deprecations)])],
      cost: sum(cells, costOf),
      scanned: sum(cells, scannedBy),
      waves: cells.reduce((most, cell) => Math.max(most, wavesOf(cell)), 0),
    })
  }
}
