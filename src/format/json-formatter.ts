import type { NodeId } from '../base/ids.ts'
import type { ListPage, TypeGroup } from '../core/selection-rows.ts'
import type { EdgeStep, RefStep, ResultMember } from '../plan/plan.ts'
import { createResultMember } from '../plan/steps.ts'
import type { Paging } from '../schema/inference/result.ts'
import type { Metadata } from '../schema/metadata.ts'
import { assertInTime } from '../store/settle-in-time.ts'
import { Formatter, type ResultForms } from './formatter.ts'
import type { PagingWriter } from './paging-writer.ts'

/**
 * The characters that JSON may escape: control characters, `"`, `\`, and surrogates. Surrogates that form a
 * pair are not escaped.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/

/** Whether a value is a text that needs no escaping in JSON. */
const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && !NEEDS_ESCAPE.test(value)

/** Returns the same text as `JSON.stringify`, but is faster for values that need no escaping. */
export const toJsonText = (value: unknown): string | undefined => {
  if (isPlainText(value)) return `"${value}"`
  const isPlain = typeof value === 'boolean' || Number.isFinite(value)
  return isPlain ? `${value}` : JSON.stringify(value)
}

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
 * The number of characters (about a millisecond of work) after which the length is reported and the deadline
 * is checked.
 */
const LENGTH_REPORT_INTERVAL = 65_536

const METADATA_MEMBER = createResultMember('metadata')

/** The closing quote that the last value still needs: `"` if the value is a string, otherwise ''. */
type ClosingQuote = '' | '"'

/** Appends the name of the next member to the text of an object. */
const beginMember = (
  text: string,
  closingQuote: ClosingQuote,
  { firstPrefix, laterPrefix }: Pick<ResultMember, 'firstPrefix' | 'laterPrefix'>,
): string => (text === '' ? firstPrefix : text + closingQuote + laterPrefix)

/**
 * Appends the name of the member `id`. It concatenates as few strings as possible, because each string costs
 * time when the text is encoded.
 */
const beginIdMember = (text: string, closingQuote: ClosingQuote): string => {
  if (text === '') return '{"id":"'
  return text + (closingQuote === '' ? ',"id":"' : '","id":"')
}

const endObject = (text: string, closingQuote: ClosingQuote, metadata: Metadata | undefined): string => {
  if (metadata === undefined) return text + (closingQuote === '' ? '}' : '"}')
  return `${beginMember(text, closingQuote, METADATA_MEMBER)}${JSON.stringify(metadata)}}`
}

const joinMembers = (members: ReadonlyMap<string, string>): string =>
  `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`

/**
 * Formats rows as JSON text, the same text that `JSON.stringify` returns for the objects of
 * `ObjectFormatter`.
 */
export class JsonFormatter extends Formatter<{ readonly [form in keyof ResultForms]: string }> {
  #reportedLength = 0
  /** The number of characters of the ids. `#prefetchIds` counts them only to read the ids from memory. */
  #prefetchedLength = 0

  formatNodesById(nodes: ReadonlyMap<string, string>): string {
    return joinMembers(nodes)
  }

  formatPagesById(pages: ReadonlyMap<string, string>): string {
    return joinMembers(pages)
  }

  /** Adds the debug messages to the JSON text, and reports its length. */
  complete(result: string): string {
    const messages = this.context.debugMessages.listMasked()
    const separator = result === '{}' ? '' : ','
    const json =
      messages === undefined
        ? result
        : `${result.slice(0, -1)}${separator}"__debug__":${JSON.stringify({ messages })}}`
    this.context.onLength?.(json.length)
    return json
  }

  protected formatRow(group: TypeGroup, row: number, metadata: Metadata | undefined): string {
    const lengthBefore = this.writtenLength
    if (row === 0) this.#prefetchIds(group)
    let text = ''
    let closingQuote: ClosingQuote = ''
    let pendingMetadata = metadata
    let index = -1
    for (const step of group.steps) {
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

  /** @throws GraphError `aborted` or `timeout`, or any error that `onLength` throws. */
  #reportLength(): void {
    this.#reportedLength = this.writtenLength
    assertInTime(this.context.readOptions)
    this.context.onLength?.(this.writtenLength)
  }

  /**
   * Reads the ids of a group before any of them is written. The ids are scattered in memory. In a loop that
   * does nothing else, the processor fetches many of them at the same time.
   */
  #prefetchIds({ records }: TypeGroup): void {
    for (const { id } of records) this.#prefetchedLength += id.length
  }

  #formatRefOrEdge(group: TypeGroup, row: number, step: RefStep | EdgeStep): string | undefined {
    if (step.kind === 'edge') return this.formatEdge(group, row, step)
    return this.isVisible(group, row, step) ? this.formatRef(group, row, step) : undefined
  }
}
