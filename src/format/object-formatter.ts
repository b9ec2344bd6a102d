import type { NodeId } from '../base/ids.ts'
import type { ListPage, TypeGroup } from '../core/selection-rows.ts'
import type { PlanStep } from '../plan/plan.ts'
import type { PageWithSummary, UncertainSummary, UntypedNode } from '../schema/inference/result.ts'
import type { Metadata } from '../schema/metadata.ts'
import { Formatter } from './formatter.ts'
import type { PagingWriter } from './paging-writer.ts'

type ObjectForms = {
  readonly node: UntypedNode
  readonly page: PageWithSummary<UntypedNode, UncertainSummary>
  readonly nodesById: { [id: string]: UntypedNode }
  readonly pagesById: { [id: string]: PageWithSummary<UntypedNode, UncertainSummary> }
}

/** Formats rows as objects. */
export class ObjectFormatter extends Formatter<ObjectForms> {
  formatNodesById(nodes: ReadonlyMap<string, UntypedNode>): ObjectForms['nodesById'] {
    return Object.fromEntries(nodes)
  }

  formatPagesById(pages: ReadonlyMap<string, ObjectForms['page']>): ObjectForms['pagesById'] {
    return Object.fromEntries(pages)
  }

  complete<TResult extends object>(result: TResult): TResult {
    const messages = this.context.debugMessages.listMasked()
    return messages === undefined ? result : Object.assign(result, { __debug__: { messages } })
  }

  protected formatRow(group: TypeGroup, row: number, metadata: Metadata | undefined): UntypedNode {
    // Every plan has a step for the id, which sets the missing `id`.
    const node = {} as UntypedNode
    const hasPolicies = group.plan.stepPolicies.length > 0
    let index = -1
    for (const step of group.steps) {
      index++
      if (step.kind === 'id') {
        if (metadata !== undefined && !step.isRequested) node.metadata = metadata
        node.id = this.publicIdOf(group, row)
      } else if (!hasPolicies || step.kind === 'edge' || this.isVisible(group, row, step)) {
        const value = this.#formatValue(group, row, step, index)
        if (value !== undefined) node[step.key] = value
      }
    }
    if (metadata !== undefined && node.metadata === undefined) node.metadata = metadata
    return node
  }

  protected formatPageObject(
    writer: PagingWriter,
    source: NodeId,
    page: ListPage,
    data: UntypedNode[],
  ): PageWithSummary<UntypedNode, UncertainSummary> {
    const paging = writer.createPaging(source, page)
    const result: PageWithSummary<UntypedNode, UncertainSummary> =
      paging === undefined ? { data } : { data, paging }
    const summary = writer.createSummary(page)
    if (summary !== undefined) result.summary = summary
    return result
  }

  #formatValue(
    group: TypeGroup,
    row: number,
    step: Exclude<PlanStep, { kind: 'id' }>,
    index: number,
  ): unknown {
    if (step.kind === 'ref') return this.formatRef(group, row, step)
    return step.kind === 'edge' ? this.formatEdge(group, row, step) : this.formatLeaf(group, row, step, index)
  }
}
