import type { NodeId } from '../base/ids.ts'
import type { Step } from '../plan/plan.ts'
import type { CountedPage, LooseNode } from '../schema/inference/answer.ts'
import type { Metadata } from '../schema/metadata.ts'
import type { EnvelopeWriter } from './envelope.ts'
import type { Group } from './gathered.ts'
import type { Page } from './page.ts'
import { Projection } from './projection.ts'

/** Makes objects of what was gathered. */
export class Projector extends Projection<LooseNode, CountedPage<LooseNode>> {
  protected row(group: Group, row: number, metadata: Metadata | undefined): LooseNode {
    // Every plan has a step for the id, which is set below.
    const answer = {} as LooseNode
    const isGuarded = group.plan.guards.length > 0
    let index = -1
    for (const step of this.context.stepsOf(group.plan)) {
      index++
      if (step.kind === 'id') {
        if (metadata !== undefined && !step.asked) answer.metadata = metadata
        answer.id = this.idOf(group, row)
      } else if (!isGuarded || step.kind === 'edge' || this.isSeen(group, row, step)) {
        const value = this.#value(group, row, step, index)
        if (value !== undefined) answer[step.key] = value
      }
    }
    if (metadata !== undefined && answer.metadata === undefined) answer.metadata = metadata
    return answer
  }

  protected page(
    writer: EnvelopeWriter,
    source: NodeId,
    page: Page,
    data: LooseNode[],
  ): CountedPage<LooseNode> {
    const paging = writer.paging(source, page)
    const answer: CountedPage<LooseNode> = paging === undefined ? { data } : { data, paging }
    const summary = writer.summary(page)
    if (summary !== undefined) answer.summary = summary
    return answer
  }

  #value(group: Group, row: number, step: Exclude<Step, { kind: 'id' }>, index: number): unknown {
    if (step.kind === 'ref') return this.ref(group, row, step)
    return step.kind === 'edge' ? this.edge(group, row, step) : this.leaf(group, row, step, index)
  }
}
