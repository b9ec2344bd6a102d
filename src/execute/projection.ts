import { formatDatetime, isTime } from '../base/dates.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import type { JsonValue } from '../base/json.ts'
import type { ComputedStep, EdgeStep, RefStep, Step, TimeStep, TypePlan, ValueStep } from '../plan/plan.ts'
import { isBadValue, type SerializeContext } from '../schema/field-type.ts'
import type { Metadata } from '../schema/metadata.ts'
import { BadValue } from './bad-values.ts'
import type { Context } from './context.ts'
import { EnvelopeWriter, type List } from './envelope.ts'
import type { Gathered, Group, PagesCell } from './gathered.ts'
import { emptyPage, type Page } from './page.ts'
import { isOpen, opennessOf } from './sift.ts'
import { storedValue } from './stored-values.ts'

const NO_PAGE = emptyPage({ summary: false })

/** What is valid of a ref. */
const REF = { isValid: isNodeId }

/** A member of an answer whose value is stored or computed. */
type StepOfField = ValueStep | TimeStep | ComputedStep | RefStep

/** A member of an answer that has nothing below it. */
export type LeafStep = Exclude<Step, { kind: 'id' | 'ref' | 'edge' }>

/**
 * Makes answers of what was gathered, in one pass over it: decides what is answered, and leaves to its kinds in what form:
 * objects for this process, or their JSON text for others.
 */
export abstract class Projection<TNode, TPage> {
  protected readonly context: Context
  readonly #checked: boolean
  #writers: Map<EdgeStep, EnvelopeWriter> | undefined

  constructor(context: Context) {
    this.context = context
    this.#checked = context.checksValues
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

  /** How the pages of one list are answered: page `index` of a cell in its envelope. */
  list(list: List): (cell: PagesCell, index: number, source: NodeId) => TPage {
    const writer = new EnvelopeWriter(this.context, list)
    return (cell, index, source) => this.#page(cell, index, source, writer)
  }

  protected idOf(group: Group, row: number): string {
    const { plan, records } = group
    if (!plan.appScoped || records.length === 1) return this.context.idOf(records[row]?.id ?? '', plan)
    group.ids ??= this.context.scopedIdsOf(records)
    return group.ids[row] ?? ''
  }

  /** Whether the viewer may see what a step answers of a row; what an edge answers was judged where it was read. */
  protected isSeen(group: Group, row: number, step: LeafStep | RefStep): boolean {
    return isOpen(opennessOf(group, step), row)
  }

  /** The value of a step that stands at `index` among those of its plan. */
  protected leaf(group: Group, row: number, step: LeafStep, index: number): unknown {
    switch (step.kind) {
      case 'value': {
        const stored = storedValue(group, step, row, index, this.#checked)
        if (!step.type.plain) return this.#serialized(group, step, stored)
        return stored instanceof BadValue ? this.#leaveOut(group, step, stored) : stored
      }
      case 'time': {
        const time = group.entries[row]?.time
        if (time === undefined) return undefined
        if (this.#checked && !isTime(time)) return this.#leaveOut(group, step, new BadValue('datetime', time))
        return formatDatetime(time)
      }
      case 'computed':
        return this.#serialized(group, step, this.#cellValue(group, row, step.cell))
      case 'test':
        return this.#cellValue(group, row, step.cell) ?? false
    }
  }

  protected ref(group: Group, row: number, step: RefStep): TNode | undefined {
    const cell = group.cells[step.cell]
    const node = cell?.kind === 'nodes' ? this.item(cell.gathered, row) : undefined
    if (node !== undefined || !this.#checked) return node
    const stored = group.records[row]?.fields[step.name]
    if (isBadValue(REF, stored)) this.#leaveOut(group, step, new BadValue('the id of a node', stored))
    return undefined
  }

  protected edge(group: Group, row: number, step: EdgeStep): TPage | undefined {
    const cell = group.cells[step.cell]
    const source = group.records[row]?.id
    if (cell?.kind !== 'pages' || source === undefined) return undefined
    return this.#page(cell, row, source, this.#writerOf(step, group.plan))
  }

  #page(cell: PagesCell, index: number, source: NodeId, writer: EnvelopeWriter): TPage {
    const nodes: TNode[] = []
    const end = cell.starts[index + 1] ?? 0
    for (let item = cell.starts[index] ?? 0; item < end; item++) {
      const node = this.item(cell.gathered, item)
      if (node !== undefined) nodes.push(node)
    }
    return this.page(writer, source, cell.pages[index] ?? NO_PAGE, nodes)
  }

  /** Only a value that gives nothing is looked at again: whether it is bad. */
  #serialized(group: Group, step: ValueStep | ComputedStep, stored: unknown): unknown {
    if (stored instanceof BadValue) return this.#leaveOut(group, step, stored)
    const { type, parameters } = step
    const { now, silhouette } = this.context
    const context: SerializeContext = { now, silhouette, parameters, checked: this.#checked }
    const given = this.#checked && stored === null ? undefined : stored
    const value = type.serialize(given as JsonValue | undefined, context)
    if (value === undefined && this.#checked && isBadValue(type, stored))
      return this.#leaveOut(group, step, new BadValue(type.name, stored))
    return value
  }

  /** Leaves out a field that would be returned, since its value is bad. */
  #leaveOut({ plan }: Group, step: StepOfField, bad: BadValue): undefined {
    this.context.leaveOut(plan.type, 'field' in step ? step.field : step.name, bad)
  }

  #cellValue(group: Group, row: number, index: number): unknown {
    const cell = group.cells[index]
    return cell?.kind === 'values' ? cell.values[row] : undefined
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
