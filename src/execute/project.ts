import { formatDatetime } from '../base/dates.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonValue } from '../base/json.ts'
import type { EdgeStep, RefStep, Step, TypePlan } from '../plan/plan.ts'
import type { SerializeContext } from '../schema/field-type.ts'
import type { CountedPage, LooseNode } from '../schema/inference/answer.ts'
import type { Metadata } from '../schema/metadata.ts'
import type { Context } from './context.ts'
import { EnvelopeWriter, type List } from './envelope.ts'
import type { Gathered, Group, PagesCell } from './gathered.ts'
import { emptyPage } from './page.ts'
import type { Projection } from './projection.ts'
import { isOpen, opennessOf } from './sift.ts'

const NO_PAGE = emptyPage({ summary: false })

const isScalar = (value: JsonValue | undefined): boolean => typeof value !== 'object' && value !== undefined

/** Makes objects of what was gathered, in one pass over it. */
export class Projector implements Projection<LooseNode, CountedPage<LooseNode>> {
  readonly #context: Context
  readonly #writers = new Map<EdgeStep, EnvelopeWriter>()

  constructor(context: Context) {
    this.#context = context
  }

  item(gathered: Gathered, index: number, metadata?: Metadata): LooseNode | undefined {
    const place = gathered.places === undefined ? undefined : gathered.places[index]
    if (place !== undefined) return this.#row(place.group, place.row, metadata)
    const [only] = gathered.groups
    return gathered.places === undefined && only !== undefined ? this.#row(only, index, metadata) : undefined
  }

  list(list: List) {
    const writer = new EnvelopeWriter(this.#context, list)
    return (cell: PagesCell, index: number, source: NodeId) => this.#page(cell, index, source, writer)
  }

  #page(cell: PagesCell, index: number, source: NodeId, writer: EnvelopeWriter): CountedPage<LooseNode> {
    const data: LooseNode[] = []
    const end = cell.starts[index + 1] ?? 0
    for (let item = cell.starts[index] ?? 0; item < end; item++) {
      const answer = this.item(cell.gathered, item)
      if (answer !== undefined) data.push(answer)
    }
    return writer.write(source, cell.pages[index] ?? NO_PAGE, data)
  }

  #row(group: Group, row: number, metadata: Metadata | undefined): LooseNode {
    // Every plan has a step for the id, which is set below.
    const answer = {} as LooseNode
    const isGuarded = group.plan.guards.length > 0
    for (const step of this.#context.stepsOf(group.plan)) {
      if (step.kind === 'id') {
        if (metadata !== undefined && !step.asked) answer.metadata = metadata
        answer.id = this.#context.idOf(group.records[row]?.id ?? '', group.plan)
      } else if (!isGuarded || step.kind === 'edge' || isOpen(opennessOf(group, step), row)) {
        const value = this.#value(group, row, step)
        if (value !== undefined) answer[step.key] = value
      }
    }
    if (metadata !== undefined && answer.metadata === undefined) answer.metadata = metadata
    return answer
  }

  #value(group: Group, row: number, step: Exclude<Step, { kind: 'id' }>): unknown {
    switch (step.kind) {
      case 'value': {
        const fields = step.entry ? group.entries[row]?.data : group.records[row]?.fields
        const stored = fields?.[step.name]
        if (step.type.plain) return isScalar(stored) ? stored : undefined
        return step.type.serialize(stored, this.#serializeContext(step.parameters))
      }
      case 'time': {
        const time = group.entries[row]?.time
        return time === undefined ? undefined : formatDatetime(time)
      }
      case 'computed': {
        const value = this.#cellValue(group, row, step.cell)
        return step.type.serialize(value as JsonValue | undefined, this.#serializeContext(step.parameters))
      }
      case 'test':
        return this.#cellValue(group, row, step.cell) ?? false
      case 'ref':
        return this.#ref(group, row, step)
      case 'edge':
        return this.#edge(group, row, step)
    }
  }

  #serializeContext(parameters: SerializeContext['parameters']): SerializeContext {
    return { now: this.#context.now, silhouette: this.#context.silhouette, parameters }
  }

  #cellValue(group: Group, row: number, index: number): unknown {
    const cell = group.cells[index]
    return cell?.kind === 'values' ? cell.values[row] : undefined
  }

  #ref(group: Group, row: number, step: RefStep): LooseNode | undefined {
    const cell = group.cells[step.cell]
    return cell?.kind === 'nodes' ? this.item(cell.gathered, row) : undefined
  }

  #edge(group: Group, row: number, step: EdgeStep): CountedPage<LooseNode> | undefined {
    const cell = group.cells[step.cell]
    const source = group.records[row]?.id
    if (cell?.kind !== 'pages' || source === undefined) return undefined
    return this.#page(cell, row, source, this.#writerOf(step, group.plan))
  }

  #writerOf(step: EdgeStep, from: TypePlan): EnvelopeWriter {
    const known = this.#writers.get(step)
    if (known !== undefined) return known
    const { edge } = step
    const window = this.#context.windowOf(edge)
    const writer = new EnvelopeWriter(this.#context, { shape: edge, window, selection: edge.selection, from })
    this.#writers.set(step, writer)
    return writer
  }
}
