import type { EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import type { NodeType } from '../schema/node.ts'
import type { Policy } from '../schema/policy.ts'
import type { ScopeNeed, Selection, Sifted, Step, TypePlan } from './plan.ts'

type Cell = TypePlan['cells'][number]

const largest = (plans: readonly TypePlan[], name: 'cost' | 'scanned' | 'waves'): number =>
  plans.reduce((most, plan) => Math.max(most, plan[name]), 0)

const NONE: Sifted = Object.freeze({ scans: 0, first: 0 })

/** The most of several types, since a record is of one. */
export const largestSifted = (plans: readonly TypePlan[]): Sifted => ({
  scans: plans.reduce((most, { sifted }) => Math.max(most, sifted.scans), 0),
  first: plans.reduce((most, { sifted }) => Math.max(most, sifted.first), 0),
})

/** A record is of one type, so that the worst of several types is the largest of them, not their sum. */
export const selectionOf = (plans: readonly TypePlan[]): Selection =>
  Object.freeze({
    types: new Map(plans.map(plan => [plan.type, plan])),
    only: plans.length === 1 ? plans[0] : undefined,
    policed: plans.some(({ policy }) => policy !== undefined),
    appScoped: plans.some(({ appScoped }) => appScoped),
    cost: largest(plans, 'cost'),
    scanned: largest(plans, 'scanned'),
    sifted: largestSifted(plans),
    waves: largest(plans, 'waves'),
  })

/** The plans below, each once however many ways lead to it: refs to several types would multiply it at every level. */
const plansBelow = (cells: readonly Cell[]): ReadonlySet<TypePlan> => {
  const below = new Set<TypePlan>()
  for (const cell of cells) {
    if (cell.kind !== 'ref' && cell.kind !== 'edge') continue
    const { types } = cell.kind === 'ref' ? cell.selection : cell.edge.selection
    for (const plan of types.values()) below.add(plan)
  }
  return below
}

/** What is noted here, then what is below, each thing once. */
const withBelow = <TNote>(
  own: readonly TNote[],
  below: ReadonlySet<TypePlan>,
  notesOf: (plan: TypePlan) => readonly TNote[],
): readonly TNote[] => {
  let all = own
  for (const plan of below) {
    const notes = notesOf(plan)
    if (notes.length > 0) all = all.length === 0 ? notes : [...new Set([...all, ...notes])]
  }
  return all
}

const costOf = (cell: Cell): number => {
  if (cell.kind === 'ref') return 1 + cell.selection.cost
  return cell.kind === 'edge' ? cell.edge.limit * (1 + cell.edge.selection.cost) : 0
}

const scannedBy = (cell: Cell): number => {
  if (cell.kind === 'ref') return cell.selection.scanned
  if (cell.kind !== 'edge') return 0
  const { limit, selection } = cell.edge
  return limit * ((selection.policed ? 0 : 1) + selection.scanned)
}

/** What is sifted of one list and below it. One edge more than the page is read, and a count is a scan of its own. */
export const siftedBy = (
  { limit, summary }: { readonly limit: number; readonly summary: boolean },
  { policed, sifted }: Pick<Selection, 'policed' | 'sifted'>,
): Sifted => ({
  scans: (policed ? (summary ? 2 : 1) : 0) + limit * sifted.scans,
  first: (policed ? limit + 1 : 0) + limit * sifted.first,
})

const siftedOf = (cells: readonly Cell[]): Sifted =>
  cells.reduce((all, cell) => {
    if (cell.kind !== 'ref' && cell.kind !== 'edge') return all
    const { scans, first } =
      cell.kind === 'ref' ? cell.selection.sifted : siftedBy(cell.edge, cell.edge.selection)
    return scans === 0 ? all : { scans: all.scans + scans, first: all.first + first }
  }, NONE)

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
  readonly #declared: NodeType | undefined
  readonly #guards: Policy[] = []
  readonly #steps: Step[] = []
  readonly #cells: Cell[] = []
  readonly #refused: ScopeNeed[] = []
  readonly #omitted: ScopeNeed[] = []
  readonly #deprecations: string[] = []

  constructor(type: string, declared: NodeType | undefined) {
    this.type = type
    this.#declared = declared
  }

  get nextCell(): number {
    return this.#cells.length
  }

  /** The index of a guard for a step under a policy. */
  guardBy(policy: Policy | undefined): number | undefined {
    if (policy === undefined) return undefined
    const known = this.#guards.indexOf(policy)
    return known === -1 ? this.#guards.push(policy) - 1 : known
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
    const below = plansBelow(cells)
    if (!this.#steps.some(step => step.kind === 'id')) this.#steps.push({ kind: 'id', asked: false })
    return Object.freeze({
      type: this.type,
      policy: this.#declared?.policy,
      appScoped: this.#declared?.appScoped ?? false,
      guards: this.#guards,
      steps: this.#steps,
      cells,
      scoped: this.#omitted.length > 0,
      refused: withBelow(this.#refused, below, plan => plan.refused),
      omitted: withBelow(this.#omitted, below, plan => plan.omitted),
      deprecations: withBelow(this.#deprecations, below, plan => plan.deprecations),
      cost: sum(cells, costOf),
      scanned: sum(cells, scannedBy),
      sifted: siftedOf(cells),
      waves: cells.reduce((most, cell) => Math.max(most, wavesOf(cell)), 0),
    })
  }
}
