import type { NodeId } from '../base/ids.ts'
import { type Member, memberOf } from '../plan/member.ts'
import type { Step } from '../plan/plan.ts'
import type { Paging } from '../schema/inference/answer.ts'
import type { Metadata } from '../schema/metadata.ts'
import type { EnvelopeWriter } from './envelope.ts'
import type { Group } from './gathered.ts'
import { jsonText } from './json-text.ts'
import type { Page } from './page.ts'
import { Projection } from './projection.ts'

const pagingText = ({ cursors: { before, after }, previous, next }: Paging): string => {
  let text = ',"paging":{"cursors":{'
  if (before !== undefined) text += `"before":"${before}${after === undefined ? '"}' : '",'}`
  if (after !== undefined) text += `"after":"${after}"}`
  if (previous !== undefined) text += `,"previous":"${previous}"`
  return next === undefined ? `${text}}` : `${text},"next":"${next}"}`
}

/** After so many characters, about a millisecond's work, it is asked whether the answer may go on. */
const STRETCH = 65_536

const { first: FIRST_ID, later: LATER_ID } = memberOf('id')
/** With the quote that its text begins with: all that is put together here lies in pieces, and each costs. */
const ID = { first: `${FIRST_ID}"`, later: `${LATER_ID}"` }
const METADATA = memberOf('metadata')

/** How the next member of an object begins. */
const beginning = (members: string, { first, later }: Pick<Member, 'first' | 'later'>): string =>
  members === '' ? first : later

/** Writes what was gathered as JSON text: what `JSON.stringify` makes of the objects of a {@link Projector}. */
export class TextProjector extends Projection<string, string> {
  /** Characters of all rows so far, those within others counted once. */
  #written = 0
  #told = 0

  protected row(group: Group, row: number, metadata: Metadata | undefined): string {
    const before = this.#written
    let text = ''
    let untold = metadata
    const isGuarded = group.plan.guards.length > 0
    let index = -1
    for (const step of this.context.stepsOf(group.plan)) {
      index++
      if (step.kind === 'id') {
        if (untold !== undefined && !step.asked) {
          text += beginning(text, METADATA) + JSON.stringify(untold)
          untold = undefined
        }
        text = `${text}${beginning(text, ID)}${this.idOf(group, row)}"`
      } else if (!isGuarded || step.kind === 'edge' || this.isSeen(group, row, step)) {
        const value = this.#value(group, row, step, index)
        if (value !== undefined) text += beginning(text, step) + value
      }
    }
    if (untold !== undefined) text += beginning(text, METADATA) + JSON.stringify(untold)
    text += '}'
    this.#written = before + text.length
    if (this.#written - this.#told > STRETCH) this.#tell()
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
    text += ']'
    const paging = writer.paging(source, page)
    if (paging !== undefined) text += pagingText(paging)
    const summary = writer.summary(page)
    if (summary !== undefined) text += `,"summary":${JSON.stringify(summary)}`
    return `${text}}`
  }

  #tell(): void {
    this.#told = this.#written
    this.context.wrote(this.#written)
  }

  #value(group: Group, row: number, step: Exclude<Step, { kind: 'id' }>, index: number): string | undefined {
    if (step.kind === 'ref') return this.ref(group, row, step)
    return step.kind === 'edge' ? this.edge(group, row, step) : jsonText(this.leaf(group, row, step, index))
  }
}
