import type { NodeId } from '../base/ids.ts'
import type { Selection, Window } from '../plan/plan.ts'
import type { CountedPage, LooseNode, Paging } from '../schema/inference/answer.ts'
import type { EdgePosition } from '../store/contract.ts'
import type { Context } from './context.ts'
import { cursorHead, encodeCursor, sealCursor } from './cursor.ts'
import type { Page, PageShape } from './page.ts'

/** A list whose pages are to be written: how it is walked, where its pages are, and what it leads to. */
export type List = {
  readonly shape: PageShape
  readonly window: Window
  readonly selection: Pick<Selection, 'appScoped'>
  /** The type of its sources. */
  readonly from: { readonly appScoped: boolean }
}

/** Writes the envelopes of the pages of one edge. */
export class EnvelopeWriter {
  readonly #context: Context
  readonly #list: List
  readonly #head: string

  constructor(context: Context, list: List) {
    this.#context = context
    this.#list = list
    this.#head = cursorHead(list.shape.name, list.shape.order)
  }

  write(source: NodeId, page: Page, data: LooseNode[]): CountedPage<LooseNode> {
    const { order } = this.#list.shape
    const answer: CountedPage<LooseNode> = { data }
    const first = page.entries[0]
    const last = page.entries.at(-1)
    if (first !== undefined && last !== undefined) {
      answer.paging = this.#paging(source, page, this.#cursor(first), this.#cursor(last))
    } else if (page.examined !== undefined) {
      answer.paging = this.#paging(source, page, undefined, undefined)
    }
    if (page.total !== undefined) answer.summary = { order, total_count: page.total }
    return answer
  }

  #cursor(position: EdgePosition): string {
    const { ids } = this.#context
    return encodeCursor(this.#head, position, this.#list.selection.appScoped ? ids : undefined)
  }

  /** Where a budget ended, the cursor in the direction of the walk goes on from the edge examined last. */
  #paging(
    source: NodeId,
    { more, examined }: Page,
    first: string | undefined,
    last: string | undefined,
  ): Paging {
    const { cursor } = this.#list.window
    const backwards = cursor === 'before'
    const seal = examined && sealCursor(this.#head, examined, this.#context.sealer)
    const before = backwards ? (seal ?? first) : first
    const after = backwards ? last : (seal ?? last)
    const paging: Paging = { cursors: {} }
    if (before !== undefined) paging.cursors.before = before
    if (after !== undefined) paging.cursors.after = after
    const hasPrevious = backwards ? more : cursor === 'after'
    if (hasPrevious && before !== undefined) paging.previous = this.#link(source, 'before', before)
    if ((backwards || more) && after !== undefined) paging.next = this.#link(source, 'after', after)
    return paging
  }

  #link(source: NodeId, parameter: 'after' | 'before', cursor: string): string {
    const { shape, window, from } = this.#list
    const url = this.#context.urlOf(source, from, shape.name)
    return `${url}?${window.query === '' ? '' : `${window.query}&`}${parameter}=${cursor}`
  }
}
