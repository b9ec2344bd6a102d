import type { IdsOfApp } from '../access/app-ids/app-ids.ts'
import type { NodeId } from '../base/ids.ts'
import type { Selection, Window } from '../plan/plan.ts'
import type { Paging, Summary } from '../schema/inference/answer.ts'
import type { EdgePosition } from '../store/contract.ts'
import type { Context } from './context.ts'
import { cursorHead, encodeAppScopedCursor, encodeCursor, sealCursor } from './cursor.ts'
import type { Page, PageShape } from './page.ts'

/** A list whose pages are to be written: how it is walked, where its pages are, and what it leads to. */
export type List = {
  readonly shape: PageShape
  readonly window: Window
  readonly selection: Pick<Selection, 'appScoped'>
  /** The type of its sources. */
  readonly from: { readonly appScoped: boolean }
}

/** Writes what stands beside the entries in the pages of one edge. */
export class EnvelopeWriter {
  readonly #context: Context
  readonly #list: List
  readonly #head: string
  readonly #ids: IdsOfApp | undefined
  readonly #paths: { after?: string; before?: string } = {}

  constructor(context: Context, list: List) {
    this.#context = context
    this.#list = list
    this.#head = cursorHead(list.shape.name, list.shape.order)
    this.#ids = list.selection.appScoped ? context.ids : undefined
  }

  /** Where a page begins and ends, and the links that go on from it; undefined for an empty one. */
  paging(source: NodeId, page: Page): Paging | undefined {
    const cursors = this.#cursors(source, page)
    return cursors && this.#paging(source, page.more, cursors)
  }

  /** What is said of the whole list, where it was asked for and could be counted. */
  summary({ total }: Page): Summary | undefined {
    return total === undefined ? undefined : { order: this.#list.shape.order, total_count: total }
  }

  /** If the scan limit ended the page, the cursor in the direction of the walk goes on from the edge examined last. */
  #cursors(source: NodeId, { entries, examined }: Page): Paging['cursors'] | undefined {
    const first = entries[0]
    const last = entries.at(-1)
    const answered = first && last && { before: this.#cursor(first), after: this.#cursor(last) }
    if (examined === undefined) return answered
    const seal = sealCursor(this.#head, { ...examined, source }, this.#context.keys)
    return this.#list.window.cursor === 'before'
      ? { ...answered, before: seal }
      : { ...answered, after: seal }
  }

  #cursor(position: EdgePosition): string {
    if (this.#ids === undefined) return encodeCursor(this.#head, position)
    return encodeAppScopedCursor(this.#head, position, this.#ids, this.#context.keys)
  }

  #paging(source: NodeId, more: boolean, cursors: Paging['cursors']): Paging {
    const { cursor } = this.#list.window
    const { before, after } = cursors
    const backwards = cursor === 'before'
    const isBehind = (backwards ? more : cursor === 'after') && before !== undefined
    const previous = isBehind ? this.#link(source, 'before', before) : undefined
    const next = (backwards || more) && after !== undefined ? this.#link(source, 'after', after) : undefined
    // Literals: a member that is added later is kept apart from the others.
    if (previous === undefined) return next === undefined ? { cursors } : { cursors, next }
    return next === undefined ? { cursors, previous } : { cursors, previous, next }
  }

  #link(source: NodeId, parameter: 'after' | 'before', cursor: string): string {
    const path = this.#paths[parameter] ?? this.#pathTo(parameter)
    return this.#context.urlOf(source, this.#list.from) + path + cursor
  }

  /** What all links of a list have in common between the id of its source and the cursor. */
  #pathTo(parameter: 'after' | 'before'): string {
    const { shape, window } = this.#list
    const carried = window.query()
    const path = this.#context.pathOf(shape.name, `${carried === '' ? '' : `${carried}&`}${parameter}=`)
    this.#paths[parameter] = path
    return path
  }
}
