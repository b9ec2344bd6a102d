import type { NodeId } from '../base/ids.ts'
import { PAUSE_REQUEST, type ReadTask } from '../core/batching.ts'
import type { ListPage, PagesCell, RowPosition, SelectionRows, TypeGroup } from '../core/selection-rows.ts'
import type { EdgeStep, RefStep, TypePlan } from '../plan/plan.ts'
import { countValues } from '../plan/type-plan.ts'
import { isVisible, visibilityMask } from '../policy/visibility.ts'
import type { ExecutionContext } from '../read/context.ts'
import { createEmptyPage } from '../read/pages.ts'
import { windowOf } from '../read/windows.ts'
import type { Metadata } from '../schema/metadata.ts'
import { type LeafStep, MAX_ROWS_AT_ONCE, readLeafValue, reportBadRef } from './leaf-values.ts'
import { publicIdOf, publicIdsOf } from './node-urls.ts'
import { type PagedList, PagingWriter } from './paging-writer.ts'

const NO_PAGE = createEmptyPage({ summary: false })

/** The number of values that are formatted between two pauses. */
const VALUES_BETWEEN_PAUSES = 500
/** The work of formatting the cursors and links of a page, expressed as a number of values. */
const PAGE_WORK = 20

const rowPositionOf = (
  { positions, groups: [onlyGroup] }: SelectionRows,
  index: number,
): RowPosition | undefined => {
  if (positions !== undefined) return positions[index]
  return onlyGroup && { group: onlyGroup, row: index }
}

const pageIndexOf = ({ pageIndexes }: PagesCell, row: number): number =>
  pageIndexes === undefined ? row : (pageIndexes[row] ?? row)

/** The forms of results: a node, a page, and several nodes or pages by their requested ids. */
export type ResultForms = {
  readonly node: unknown
  readonly page: unknown
  readonly nodesById: unknown
  readonly pagesById: unknown
}

/** The formatted node or page that a ref or an edge of a row leads to. */
type NestedResult<TForms extends ResultForms> =
  | { readonly node?: TForms['node'] | undefined; readonly page?: TForms['page'] | undefined }
  | undefined

/** The nested results of a row, by the index of their cell. */
type NestedResults<TForms extends ResultForms> = NestedResult<TForms>[]

/**
 * Formats the rows of a selection. This class decides what the result contains. Its subclasses decide the
 * form: objects, or JSON text for a handler.
 */
export abstract class Formatter<TForms extends ResultForms> {
  protected readonly context: ExecutionContext
  /** The number of characters of all rows so far. The characters of nested rows are counted once. */
  protected writtenLength = 0
  #pagingWriters: Map<EdgeStep, PagingWriter> | undefined
  /** The nested results of the current row, which are formatted before the row. */
  #nestedResults: NestedResults<TForms> | undefined
  /** The work since the last pause. */
  #workSincePause = 0

  constructor(context: ExecutionContext) {
    this.context = context
  }

  /** Formats one row of a group. */
  protected abstract formatRow(group: TypeGroup, row: number, metadata: Metadata | undefined): TForms['node']

  /** Formats the page of a list with its formatted nodes. */
  protected abstract formatPageObject(
    writer: PagingWriter,
    source: NodeId,
    page: ListPage,
    nodes: TForms['node'][],
  ): TForms['page']

  /** Creates a result that contains several nodes by their requested ids. */
  abstract formatNodesById(nodes: ReadonlyMap<string, TForms['node']>): TForms['nodesById']

  /** Creates a result that contains several pages by their requested ids. */
  abstract formatPagesById(pages: ReadonlyMap<string, TForms['page']>): TForms['pagesById']

  /** Adds the debug messages to the whole result. */
  abstract complete<TForm extends keyof TForms>(result: TForms[TForm]): TForms[TForm]

  /**
   * Formats the item at `index`. Returns `undefined` if the item is left out. `metadata` is the last member,
   * or the member before an id that was not requested.
   */
  formatItem(rows: SelectionRows, index: number, metadata?: Metadata): TForms['node'] | undefined {
    const { positions, groups } = rows
    if (positions === undefined) return groups[0] && this.formatRow(groups[0], index, metadata)
    const position = positions[index]
    return position && this.formatRow(position.group, position.row, metadata)
  }

  /** Creates the writer of the pages of one list. */
  createPagingWriter(list: PagedList): PagingWriter {
    return new PagingWriter(this.context, list)
  }

  /**
   * Formats an item like `formatItem`, with pauses. The nodes below a row are formatted before the row, so
   * that the work between two pauses is at most one row and its values.
   */
  *formatItemWithPauses(
    rows: SelectionRows,
    index: number,
    metadata?: Metadata,
  ): ReadTask<TForms['node'] | undefined> {
    const position = rowPositionOf(rows, index)
    if (position === undefined) return undefined
    const { group, row } = position
    const lengthBefore = this.writtenLength
    const nestedResults: NestedResults<TForms> = []
    for (const step of group.plan.cellSteps)
      nestedResults[step.cellIndex] = yield* this.#formatNested(group, row, step)
    this.#workSincePause += 1 + countValues(group.plan.steps.length, group.plan.ownCost)
    if (this.#workSincePause > VALUES_BETWEEN_PAUSES) {
      this.#workSincePause = 0
      yield PAUSE_REQUEST
    }
    this.writtenLength = lengthBefore
    this.#nestedResults = nestedResults
    const node = this.formatRow(group, row, metadata)
    this.#nestedResults = undefined
    return node
  }

  /** Formats a page like `formatPage`, with pauses. */
  *formatPageWithPauses(
    cell: PagesCell,
    row: number,
    source: NodeId,
    writer: PagingWriter,
  ): ReadTask<TForms['page']> {
    const nodes: TForms['node'][] = []
    const pageIndex = pageIndexOf(cell, row)
    const endIndex = cell.startIndexes[pageIndex + 1] ?? 0
    for (let itemIndex = cell.startIndexes[pageIndex] ?? 0; itemIndex < endIndex; itemIndex++) {
      const node = yield* this.formatItemWithPauses(cell.rows, itemIndex)
      if (node !== undefined) nodes.push(node)
    }
    this.#workSincePause += PAGE_WORK
    return this.formatPageObject(writer, source, cell.pages[pageIndex] ?? NO_PAGE, nodes)
  }

  protected publicIdOf(group: TypeGroup, row: number): string {
    const { plan, records } = group
    const id = records[row]?.id ?? ''
    if (!plan.appScoped) return id
    if (records.length === 1 || records.length > MAX_ROWS_AT_ONCE) return publicIdOf(this.context, id, plan)
    group.publicIds ??= publicIdsOf(this.context, records)
    return group.publicIds[row] ?? ''
  }

  /**
   * Whether the viewer may see the value of a step. The policy of an edge is evaluated when the edge is read.
   */
  protected isVisible(group: TypeGroup, row: number, step: LeafStep | RefStep): boolean {
    return isVisible(visibilityMask(group, step), row)
  }

  /** Formats the value of a step. `index` is the position of the step in its plan. */
  protected formatLeaf(group: TypeGroup, row: number, step: LeafStep, index: number): unknown {
    return readLeafValue(this.context, group, row, step, index)
  }

  protected formatRef(group: TypeGroup, row: number, step: RefStep): TForms['node'] | undefined {
    const node =
      this.#nestedResults === undefined
        ? this.#formatRefNode(group, row, step)
        : this.#nestedResults[step.cellIndex]?.node
    if (node === undefined && this.context.checkValues !== 'off') reportBadRef(this.context, group, row, step)
    return node
  }

  protected formatEdge(group: TypeGroup, row: number, step: EdgeStep): TForms['page'] | undefined {
    if (this.#nestedResults !== undefined) return this.#nestedResults[step.cellIndex]?.page
    const cell = group.cells[step.cellIndex]
    const source = group.records[row]?.id
    if (cell?.kind !== 'pages' || source === undefined) return undefined
    return this.formatPage(cell, row, source, this.#pagingWriterOf(step, group.plan))
  }

  /** Formats the page of a row with its paging and summary. */
  formatPage(cell: PagesCell, row: number, source: NodeId, writer: PagingWriter): TForms['page'] {
    const pageIndex = pageIndexOf(cell, row)
    const nodes: TForms['node'][] = []
    const endIndex = cell.startIndexes[pageIndex + 1] ?? 0
    for (let itemIndex = cell.startIndexes[pageIndex] ?? 0; itemIndex < endIndex; itemIndex++) {
      const node = this.formatItem(cell.rows, itemIndex)
      if (node !== undefined) nodes.push(node)
    }
    return this.formatPageObject(writer, source, cell.pages[pageIndex] ?? NO_PAGE, nodes)
  }

  /** Formats the node or page that a step leads to, before its row is formatted. */
  *#formatNested(
    group: TypeGroup,
    row: number,
    step: TypePlan['cellSteps'][number],
  ): ReadTask<NestedResult<TForms>> {
    const cell = group.cells[step.cellIndex]
    if (step.kind === 'ref' && cell?.kind === 'nodes')
      return { node: yield* this.formatItemWithPauses(cell.rows, row) }
    const source = group.records[row]?.id
    if (step.kind !== 'edge' || cell?.kind !== 'pages' || source === undefined) return undefined
    return {
      page: yield* this.formatPageWithPauses(cell, row, source, this.#pagingWriterOf(step, group.plan)),
    }
  }

  #formatRefNode(group: TypeGroup, row: number, step: RefStep): TForms['node'] | undefined {
    const cell = group.cells[step.cellIndex]
    return cell?.kind === 'nodes' ? this.formatItem(cell.rows, row) : undefined
  }

  #pagingWriterOf(step: EdgeStep, sourceType: TypePlan): PagingWriter {
    this.#pagingWriters ??= new Map()
    const cachedWriter = this.#pagingWriters.get(step)
    if (cachedWriter !== undefined) return cachedWriter
    const { edge } = step
    const window = windowOf(this.context, edge)
    const writer = new PagingWriter(this.context, {
      pageRequest: edge,
      window,
      selection: edge.selection,
      sourceType,
    })
    this.#pagingWriters.set(step, writer)
    return writer
  }
}

/** The constructor of a formatter. Each instance formats one result. */
export type FormatterConstructor<TForms extends ResultForms> = new (
  context: ExecutionContext,
) => Formatter<TForms>
