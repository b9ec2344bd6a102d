import type { NodeId } from '../base/ids.ts'
import type { EdgeStep, RefStep, TypePlan } from '../plan/plan.ts'
import { workOf } from '../plan/type-plan.ts'
import type { Metadata } from '../schema/metadata.ts'
import type { Wave, WaveAnswer } from '../store/contract.ts'
import type { Context } from './context.ts'
import { EnvelopeWriter, type List } from './envelope.ts'
import type { Gathered, Group, PagesCell, Place } from './gathered.ts'
import { type LeafStep, leafValue, reportBadRef } from './leaf-values.ts'
import { emptyPage, type Page } from './page.ts'
import { isOpen, opennessOf } from './sift.ts'
import { MOST_AT_ONCE } from './stored-values.ts'
import { PAUSE } from './walk.ts'

const NO_PAGE = emptyPage({ summary: false })

/** What an edge or ref of a row leads to. */
type MadeBelow<TNode, TPage> =
  | { readonly node?: TNode | undefined; readonly page?: TPage | undefined }
  | undefined

/** The same by cell. */
type Below<TNode, TPage> = MadeBelow<TNode, TPage>[]

/** A part of an answer that is made with pauses. */
type Formatting<TMade> = Generator<Wave, TMade, WaveAnswer>

/** Values that are made before others may run. */
const STRETCH = 500
/** What the cursors and links of a page come to, in values. */
const PAGE_WORK = 20

const placeOf = ({ places, groups: [only] }: Gathered, index: number): Place | undefined => {
  if (places !== undefined) return places[index]
  return only && { group: only, row: index }
}

const pageIndex = ({ of }: PagesCell, row: number): number => (of === undefined ? row : (of[row] ?? row))

/**
 * Makes answers of what was gathered, in one pass over it: decides what is answered, and leaves to its kinds in what form:
 * objects for this process, or their JSON text for others.
 */
export abstract class Projection<TNode, TPage> {
  protected readonly context: Context
  /** Characters of all rows so far, those within others counted once. */
  protected written = 0
  #writers: Map<EdgeStep, EnvelopeWriter> | undefined
  /** What was made ahead of the row that is being made. */
  #below: Below<TNode, TPage> | undefined
  /** The work since the last pause. */
  #work = 0

  constructor(context: Context) {
    this.context = context
  }

  /** One row of a group, as its steps say. */
  protected abstract row(group: Group, row: number, metadata: Metadata | undefined): TNode

  /** The page of a list, with the nodes that are answered. */
  protected abstract page(writer: EnvelopeWriter, source: NodeId, page: Page, nodes: TNode[]): TPage

  /** Item `index` of what was gathered; undefined where it is left out. `metadata` stands before a last id. */
  item(gathered: Gathered, index: number, metadata?: Metadata): TNode | undefined {
    const { places, groups } = gathered
    if (places === undefined) return groups[0] && this.row(groups[0], index, metadata)
    const place = places[index]
    return place && this.row(place.group, place.row, metadata)
  }

  /** What writes the pages of one list. */
  list(list: List): EnvelopeWriter {
    return new EnvelopeWriter(this.context, list)
  }

  /**
   * The same as `item`, with pauses: what is below a row is made before the row, so that no stretch of work is longer than
   * a row and its values.
   */
  *itemInStretches(gathered: Gathered, index: number, metadata?: Metadata): Formatting<TNode | undefined> {
    const place = placeOf(gathered, index)
    if (place === undefined) return undefined
    const { group, row } = place
    const before = this.written
    const below: Below<TNode, TPage> = []
    for (const step of group.plan.cells) below[step.cell] = yield* this.#belowOf(group, row, step)
    this.#work += 1 + workOf(group.plan.steps.length, group.plan.ownCost)
    if (this.#work > STRETCH) {
      this.#work = 0
      yield PAUSE
    }
    this.written = before
    this.#below = below
    const node = this.row(group, row, metadata)
    this.#below = undefined
    return node
  }

  /** The same as `pageOf`, with pauses. */
  *pageInStretches(cell: PagesCell, row: number, source: NodeId, writer: EnvelopeWriter): Formatting<TPage> {
    const nodes: TNode[] = []
    const index = pageIndex(cell, row)
    const end = cell.starts[index + 1] ?? 0
    for (let item = cell.starts[index] ?? 0; item < end; item++) {
      const node = yield* this.itemInStretches(cell.gathered, item)
      if (node !== undefined) nodes.push(node)
    }
    this.#work += PAGE_WORK
    return this.page(writer, source, cell.pages[index] ?? NO_PAGE, nodes)
  }

  protected idOf(group: Group, row: number): string {
    const { plan, records } = group
    if (!plan.appScoped || records.length === 1 || records.length > MOST_AT_ONCE)
      return this.context.idOf(records[row]?.id ?? '', plan)
    group.ids ??= this.context.scopedIdsOf(records)
    return group.ids[row] ?? ''
  }

  /** Whether the viewer may see what a step answers of a row; what an edge answers was judged where it was read. */
  protected isSeen(group: Group, row: number, step: LeafStep | RefStep): boolean {
    return isOpen(opennessOf(group, step), row)
  }

  /** The value of a step that stands at `index` among those of its plan. */
  protected leaf(group: Group, row: number, step: LeafStep, index: number): unknown {
    return leafValue(this.context, group, row, step, index)
  }

  protected ref(group: Group, row: number, step: RefStep): TNode | undefined {
    const node = this.#below === undefined ? this.#refOf(group, row, step) : this.#below[step.cell]?.node
    if (node === undefined && this.context.checksValues) reportBadRef(this.context, group, row, step)
    return node
  }

  protected edge(group: Group, row: number, step: EdgeStep): TPage | undefined {
    if (this.#below !== undefined) return this.#below[step.cell]?.page
    const cell = group.cells[step.cell]
    const source = group.records[row]?.id
    if (cell?.kind !== 'pages' || source === undefined) return undefined
    return this.pageOf(cell, row, source, this.#writerOf(step, group.plan))
  }

  /** The page of a row in its envelope. */
  pageOf(cell: PagesCell, row: number, source: NodeId, writer: EnvelopeWriter): TPage {
    const index = pageIndex(cell, row)
    const nodes: TNode[] = []
    const end = cell.starts[index + 1] ?? 0
    for (let item = cell.starts[index] ?? 0; item < end; item++) {
      const node = this.item(cell.gathered, item)
      if (node !== undefined) nodes.push(node)
    }
    return this.page(writer, source, cell.pages[index] ?? NO_PAGE, nodes)
  }

  /** What an edge or ref leads to, made ahead. */
  *#belowOf(group: Group, row: number, step: TypePlan['cells'][number]): Formatting<MadeBelow<TNode, TPage>> {
    const cell = group.cells[step.cell]
    if (step.kind === 'ref' && cell?.kind === 'nodes')
      return { node: yield* this.itemInStretches(cell.gathered, row) }
    const source = group.records[row]?.id
    if (step.kind !== 'edge' || cell?.kind !== 'pages' || source === undefined) return undefined
    return { page: yield* this.pageInStretches(cell, row, source, this.#writerOf(step, group.plan)) }
  }

  #refOf(group: Group, row: number, step: RefStep): TNode | undefined {
    const cell = group.cells[step.cell]
    return cell?.kind === 'nodes' ? this.item(cell.gathered, row) : undefined
  }

  #writerOf(step: EdgeStep, from: TypePlan): EnvelopeWriter {
    this.#writers ??= new Map()
    const known = this.#writers.get(step)
    if (known !== undefined) return known
    const { edge } = step
    const window = this.context.windowOf(edge)
    const writer = new EnvelopeWriter(this.context, { shape: edge, window, selection: edge.selection, from })
    this.#writers.set(step, writer)
    return writer
  }
}

/** Starts the projection of one answer. */
export type StartProjection<TNode, TPage> = new (context: Context) => Projection<TNode, TPage>
