import type { NodeId } from '../base/ids.ts'
import type { EdgeStep, RefStep } from '../plan/plan.ts'
import { createResultMember, type ResultMember } from '../plan/result-member.ts'
import type { Paging } from '../schema/inference/result.ts'
import type { Metadata } from '../schema/metadata.ts'
import { Formatter } from './formatter.ts'
import { isPlainText, toJsonText } from './json-text.ts'
import type { ListPage } from './list-pages.ts'
import type { PagingWriter } from './paging-writer.ts'
import type { TypeGroup } from './selection-rows.ts'

/** Appends the cursors and links of a page to its entries. */
const appendPaging = (
  entriesText: string,
  { cursors: { before, after }, previous, next }: Paging,
): string => {
  let text = entriesText
  if (before === undefined) text = `${text}],"paging":{"cursors":{"after":"${after}`
  else text = `${text}],"paging":{"cursors":{"before":"${before}`
  if (before !== undefined && after !== undefined) text = `${text}","after":"${after}`
  if (previous !== undefined) text = `${text}"},"previous":"${previous}`
  if (next !== undefined) text = `${text}${previous === undefined ? '"},"next":"' : '","next":"'}${next}`
  return text + (previous === undefined && next === undefined ? '"}}' : '"}')
}

/**
 * The number of characters, about a millisecond of work, after which the length is reported and the deadline
 * checked.
 */
const LENGTH_REPORT_INTERVAL = 65_536

const METADATA_MEMBER = createResultMember('metadata')

/** The character that the last value still lacks: a quote after a text, else nothing. */
type ClosingQuote = '' | '"'

/** Appends the name of the next member to the text of an object. */
const beginMember = (
  text: string,
  closingQuote: ClosingQuote,
  { firstPrefix, laterPrefix }: Pick<ResultMember, 'firstPrefix' | 'laterPrefix'>,
): string => (text === '' ? firstPrefix : text + closingQuote + laterPrefix)

/**
 * Appends the name of the id. It concatenates as few strings as possible, since each costs time when the text
 * is encoded.
 */
const beginIdMember = (text: string, closingQuote: ClosingQuote): string => {
  if (text === '') return '{"id":"'
  return text + (closingQuote === '' ? ',"id":"' : '","id":"')
}

const endObject = (text: string, closingQuote: ClosingQuote, metadata: Metadata | undefined): string => {
  if (metadata === undefined) return text + (closingQuote === '' ? '}' : '"}')
  return `${beginMember(text, closingQuote, METADATA_MEMBER)}${JSON.stringify(metadata)}}`
}

/**
 * Formats rows as JSON text, the same text that `JSON.stringify` returns for the objects of
 * `ObjectFormatter`.
 */
export class JsonFormatter extends Formatter<string, string> {
  #reportedLength = 0
  /** The number of characters of the ids. It is counted only to read the ids from memory. */
  #prefetchedLength = 0

  protected formatRow(group: TypeGroup, row: number, metadata: Metadata | undefined): string {
    const lengthBefore = this.writtenLength
    if (row === 0) this.#prefetchIds(group)
    let text = ''
    let closingQuote: ClosingQuote = ''
    let pendingMetadata = metadata
    let index = -1
    for (const step of this.context.grantedStepsOf(group.plan)) {
      index++
      if (step.kind === 'id') {
        if (pendingMetadata !== undefined && !step.isRequested) {
          text = beginMember(text, closingQuote, METADATA_MEMBER) + JSON.stringify(pendingMetadata)
          closingQuote = ''
          pendingMetadata = undefined
        }
        text = beginIdMember(text, closingQuote) + this.publicIdOf(group, row)
        closingQuote = '"'
      } else if (step.kind === 'ref' || step.kind === 'edge') {
        const nestedJson = this.#formatRefOrEdge(group, row, step)
        if (nestedJson === undefined) continue
        text = beginMember(text, closingQuote, step) + nestedJson
        closingQuote = ''
      } else if (group.plan.stepPolicies.length === 0 || this.isVisible(group, row, step)) {
        const value = this.formatLeaf(group, row, step, index)
        if (isPlainText(value)) {
          text = `${beginMember(text, closingQuote, step)}"${value}`
          closingQuote = '"'
        } else {
          const json = toJsonText(value)
          if (json === undefined) continue
          text = beginMember(text, closingQuote, step) + json
          closingQuote = ''
        }
      }
    }
    text = endObject(text, closingQuote, pendingMetadata)
    this.writtenLength = lengthBefore + text.length
    if (this.writtenLength - this.#reportedLength > LENGTH_REPORT_INTERVAL) this.#reportLength()
    return text
  }

  protected formatPageObject(writer: PagingWriter, source: NodeId, page: ListPage, nodes: string[]): string {
    let text = '{"data":['
    let separator = ''
    for (const node of nodes) {
      text += separator
      text += node
      separator = ','
    }
    const paging = writer.createPaging(source, page)
    text = paging === undefined ? `${text}]` : appendPaging(text, paging)
    const summary = writer.createSummary(page)
    if (summary !== undefined) text += `,"summary":${JSON.stringify(summary)}`
    return `${text}}`
  }

  #reportLength(): void {
    this.#reportedLength = this.writtenLength
    this.context.reportLength(this.writtenLength)
  }

  /**
   * Reads the ids of a group before any of them is written. They are scattered in memory, and in a loop that
   * does nothing else the processor fetches many of them at the same time.
   */
  #prefetchIds({ records }: TypeGroup): void {
    for (const { id } of records) this.#prefetchedLength += id.length
  }

  #formatRefOrEdge(group: TypeGroup, row: number, step: RefStep | EdgeStep): string | undefined {
    if (step.kind === 'edge') return this.formatEdge(group, row, step)
    return this.isVisible(group, row, step) ? this.formatRef(group, row, step) : undefined
  }
}
