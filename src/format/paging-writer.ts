import type { AppIdMapper } from '../access/app-ids/app-ids.ts'
import type { NodeId } from '../base/ids.ts'
import { createCursorPrefix, encodeCursor, encodeSignedCursor, encryptCursor } from '../core/cursor.ts'
import { assertPositionForm } from '../core/list-position.ts'
import type { ListPage } from '../core/selection-rows.ts'
import type { Selection } from '../plan/plan.ts'
import type { Window } from '../plan/window.ts'
import type { ExecutionContext } from '../read/context.ts'
import type { PageRequest } from '../read/pages.ts'
import type { Paging, UncertainSummary } from '../schema/inference/result.ts'
import type { EdgePosition } from '../store/contract.ts'
import { edgePathOf, nodeUrlOf } from './node-urls.ts'

/**
 * The properties of the lists whose pages are formatted: the request, the window, and the types of the
 * sources and targets.
 */
export type PagedList = {
  readonly pageRequest: PageRequest
  readonly window: Window
  readonly selection: Pick<Selection, 'appScoped'>
  /** The type of the sources. */
  readonly sourceType: { readonly appScoped: boolean }
}

/** Creates the members `paging` and `summary` of the pages of one edge. */
export class PagingWriter {
  readonly #context: ExecutionContext
  readonly #list: PagedList
  readonly #cursorPrefix: string
  readonly #idMapper: AppIdMapper | undefined
  readonly #linkPaths: { after?: string; before?: string } = {}

  constructor(context: ExecutionContext, list: PagedList) {
    this.#context = context
    this.#list = list
    this.#cursorPrefix = createCursorPrefix(list.window.listKey, context)
    this.#idMapper = list.selection.appScoped ? context.idMapper : undefined
  }

  /** Creates the cursors and links of a page. Returns `undefined` for an empty page. */
  createPaging(source: NodeId, page: ListPage): Paging | undefined {
    const cursors = this.#createCursors(source, page)
    return cursors && this.#addLinks(source, page.hasMore, cursors)
  }

  /**
   * Creates the summary of the whole list. Returns `undefined` if the count was not requested, or if the function
   * that returns the list did not count it. The summary of a list that is too long to be counted has no count.
   */
  createSummary({ total }: ListPage): UncertainSummary | undefined {
    const { summary, order, countKind } = this.#list.pageRequest
    if (total !== undefined) return { order: order.name, total_count: total }
    return summary && countKind !== 'stored' ? { order: order.name } : undefined
  }

  /**
   * If the scan limit ended the page, the cursor in the direction of the read is the position of the last
   * examined edge.
   */
  #createCursors(source: NodeId, page: ListPage): Paging['cursors'] | undefined {
    const { entries, scanEndedAt } = page
    const entryCursors =
      entries.length === 0
        ? undefined
        : {
            before: this.#createCursor(source, page, 0),
            after: this.#createCursor(source, page, entries.length - 1),
          }
    if (scanEndedAt === undefined) return entryCursors
    const { name, order } = this.#list.pageRequest
    if ('time' in scanEndedAt) assertPositionForm(name, scanEndedAt, order.hasKey)
    const encryptedCursor = encryptCursor(this.#list.window.listKey, source, scanEndedAt, this.#context)
    return this.#list.window.cursorParameter === 'before'
      ? { ...entryCursors, before: encryptedCursor }
      : { ...entryCursors, after: encryptedCursor }
  }

  #createCursor(source: NodeId, { entries, positions }: ListPage, index: number): string {
    const position = positions?.[index]
    if (position !== undefined)
      return encryptCursor(this.#list.window.listKey, source, { position }, this.#context)
    const entry = entries[index]
    if (entry === undefined) return ''
    const { name, order } = this.#list.pageRequest
    assertPositionForm(name, entry, order.hasKey)
    return order.isSecret
      ? encryptCursor(this.#list.window.listKey, source, entry, this.#context)
      : this.#createEntryCursor(entry)
  }

  #createEntryCursor(position: EdgePosition): string {
    return this.#idMapper === undefined
      ? encodeCursor(this.#cursorPrefix, position)
      : encodeSignedCursor(this.#cursorPrefix, position, this.#idMapper, this.#context)
  }

  #addLinks(source: NodeId, hasMore: boolean, cursors: Paging['cursors']): Paging {
    const { cursorParameter } = this.#list.window
    const { before, after } = cursors
    const isBackwards = cursorParameter === 'before'
    const hasPrevious = (isBackwards ? hasMore : cursorParameter === 'after') && before !== undefined
    const previous = hasPrevious ? this.#createLink(source, 'before', before) : undefined
    const next =
      (isBackwards || hasMore) && after !== undefined ? this.#createLink(source, 'after', after) : undefined
    // V8 stores members that are added later separately, so there are four literals.
    if (previous === undefined) return next === undefined ? { cursors } : { cursors, next }
    return next === undefined ? { cursors, previous } : { cursors, previous, next }
  }

  #createLink(source: NodeId, parameter: 'after' | 'before', cursor: string): string {
    const path = this.#linkPaths[parameter] ?? this.#createLinkPath(parameter)
    return nodeUrlOf(this.#context, source, this.#list.sourceType) + path + cursor
  }

  /**
   * Creates the part of a link between the id of the source and the cursor. This part is the same for all
   * sources.
   */
  #createLinkPath(parameter: 'after' | 'before'): string {
    const { pageRequest, window } = this.#list
    const query = window.createLinkQuery()
    const path = edgePathOf(
      this.#context,
      pageRequest.name,
      `${query === '' ? '' : `${query}&`}${parameter}=`,
    )
    this.#linkPaths[parameter] = path
    return path
  }
}
