import { isNodeId } from '../base/ids.ts'
import type {
  AheadResult,
  AheadStep,
  NodeRecord,
  ReadAhead,
  StoreReadRequest,
  StoreReadResult,
} from '../store/contract.ts'
import { nodesAheadRequest, rangesRequest } from '../store/requests.ts'
import { withHeldCondition } from './apply-conditions.ts'

/** Executes a request of its own. */
type Read = (request: StoreReadRequest) => StoreReadResult

const readStep = (read: Read, { id, fields }: NodeRecord, step: AheadStep): AheadResult => {
  if (step.kind === 'list') {
    const { kind, fields: wanted, pageLimit, ...list } = step
    const range = { ...list, source: id, from: undefined, minTime: undefined, maxTime: undefined }
    return read(rangesRequest([range], wanted)).ranges[0]
  }
  const target = Object.hasOwn(fields, step.field) ? fields[step.field] : undefined
  if (!isNodeId(target)) return undefined
  const node = read(nodesAheadRequest([target], step.fields, step.ahead)).nodes[0]
  return { node: node && step.conditions ? withHeldCondition(read, step.conditions, node) : node }
}

const attachTo = (read: Read, record: NodeRecord, ahead: ReadAhead | undefined): NodeRecord => {
  const steps = ahead?.get(record.type)
  if (steps === undefined) return record
  return { ...record, ahead: steps.map(step => readStep(read, record, step)) }
}

/**
 * Executes a request with its hints: each step is a read of its own, whose result is attached to its record.
 * `readOnce` executes a request without hints.
 */
export const readWithAhead = (readOnce: Read, request: StoreReadRequest): StoreReadResult => {
  const read: Read = one => readWithAhead(readOnce, one)
  const result = readOnce(request)
  return {
    ...result,
    nodes: result.nodes.map((node, index) => node && attachTo(read, node, request.nodesAhead?.[index])),
    ranges: result.ranges.map((rangeResult, index) => ({
      ...rangeResult,
      entries: rangeResult.entries.map(entry => ({
        ...entry,
        node: attachTo(read, entry.node, request.ranges[index]?.ahead),
      })),
    })),
  }
}
