import type { NodeId } from '../base/ids.ts'
import { type Member, memberOf } from '../plan/member.ts'
import type { EdgeStep, RefStep } from '../plan/plan.ts'
import type { Paging } from '../schema/inference/answer.ts'
import type { Metadata } from '../schema/metadata.ts'
import type { EnvelopeWriter } from './envelope.ts'
import type { Group } from './gathered.ts'
import { isPlainText, jsonText } from './json-text.ts'
import type { Page } from './page.ts'
import { Projection } from './projection.ts'

/** The entries of a page, and behind them where it is and what goes on from it. */
const withPaging = (entries: string, { cursors: { before, after }, previous, next }: Paging): string => {
  let text = entries
  if (before === undefined) text = `${text}],"paging":{"cursors":{"after":"${after}`
  else text = `${text}],"paging":{"cursors":{"before":"${before}`
  if (before !== undefined && after !== undefined) text = `${text}","after":"${after}`
  if (previous !== undefined) text = `${text}"},"previous":"${previous}`
  if (next !== undefined) text = `${text}${previous === undefined ? '"},"next":"' : '","next":"'}${next}`
  return text + (previous === undefined && next === undefined ? '"}}' : '"}')
}

/** After so many characters, about a millisecond's work, it is asked whether the answer may go on. */
const STRETCH = 65_536

const METADATA = memberOf('metadata')

/** What a text lacks behind its last value: a quote, where that is a text, or nothing. */
type Lack = '' | '"'

/** An object up to the value of its next member. */
const until = (text: string, lack: Lack, { first, later }: Pick<Member, 'first' | 'later'>): string =>
  text === '' ? first : text + lack + later

/** The same of the id, the last member of most objects, in as few pieces as can be: each costs once its bytes are asked for. */
const untilId = (text: string, lack: Lack): string => {
  if (text === '') return '{"id":"'
  return text + (lack === '' ? ',"id":"' : '","id":"')
}

const ended = (text: string, lack: Lack, metadata: Metadata | undefined): string => {
  if (metadata === undefined) return text + (lack === '' ? '}' : '"}')
  return `${until(text, lack, METADATA)}${JSON.stringify(metadata)}}`
}

/** Writes what was gathered as JSON text: what `JSON.stringify` makes of the objects of a {@link Projector}. */
export class TextProjector extends Projection<string, string> {
  #told = 0
  /** Characters of ids, counted for the sake of looking at them. */
  #fetched = 0

  protected row(group: Group, row: number, metadata: Metadata | undefined): string {
    const before = this.written
    if (row === 0) this.#fetchIds(group)
    let text = ''
    let lack: Lack = ''
    let untold = metadata
    let index = -1
    for (const step of this.context.stepsOf(group.plan)) {
      index++
      if (step.kind === 'id') {
        if (untold !== undefined && !step.asked) {
          text = until(text, lack, METADATA) + JSON.stringify(untold)
          lack = ''
          untold = undefined
        }
        text = untilId(text, lack) + this.idOf(group, row)
        lack = '"'
      } else if (step.kind === 'ref' || step.kind === 'edge') {
        const nodes = this.#nodes(group, row, step)
        if (nodes === undefined) continue
        text = until(text, lack, step) + nodes
        lack = ''
      } else if (group.plan.guards.length === 0 || this.isSeen(group, row, step)) {
        const value = this.leaf(group, row, step, index)
        if (isPlainText(value)) {
          text = `${until(text, lack, step)}"${value}`
          lack = '"'
        } else {
          const json = jsonText(value)
          if (json === undefined) continue
          text = until(text, lack, step) + json
          lack = ''
        }
      }
    }
    text = ended(text, lack, untold)
    this.written = before + text.length
    if (this.written - this.#told > STRETCH) this.#tell()
    return text
  }

  protected page(writer: EnvelopeWriter, source: NodeId, page: Page, nodes: string[]): string {
    let text = '{"data":['
    let separator = ''
    for (const node of nodes) {
      text += separator
      text += node
      separator = ','
    }
    const paging = writer.paging(source, page)
    text = paging === undefined ? `${text}]` : withPaging(text, paging)
    const summary = writer.summary(page)
    if (summary !== undefined) text += `,"summary":${JSON.stringify(summary)}`
    return `${text}}`
  }

  #tell(): void {
    this.#told = this.written
    this.context.wrote(this.written)
  }

  /**
   * Looks at the ids of a group before any is written: each lies in a place of its own, and in a loop that does nothing
   * else, the processor waits for many of them at a time.
   */
  #fetchIds({ records }: Group): void {
    for (const { id } of records) this.#fetched += id.length
  }

  #nodes(group: Group, row: number, step: RefStep | EdgeStep): string | undefined {
    if (step.kind === 'edge') return this.edge(group, row, step)
    return this.isSeen(group, row, step) ? this.ref(group, row, step) : undefined
  }
}
