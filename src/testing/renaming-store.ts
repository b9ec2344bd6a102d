import type { NodeId } from '../base/ids.ts'
import type {
  AheadResult,
  AheadStep,
  Condition,
  EdgeKey,
  EdgePosition,
  EdgeRange,
  NodeRecord,
  RangeResult,
  ReadAhead,
  Store,
  StoreReader,
  StoreReadRequest,
  StoreReadResult,
} from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { delegateStore } from './delegate-store.ts'
import { toDigitsId, toNamedId } from './renamed-ids.ts'

type Rename = (id: NodeId) => NodeId

export const renameNode = <TNode extends NodeRecord>(node: TNode, rename: Rename): TNode => ({
  ...node,
  id: rename(node.id),
})

export const renameEdge = <TEdge extends EdgeKey>(edge: TEdge, rename: Rename): TEdge => ({
  ...edge,
  source: rename(edge.source),
  target: rename(edge.target),
})

const renamePosition = <TPosition extends EdgePosition>(position: TPosition, rename: Rename): TPosition => ({
  ...position,
  target: rename(position.target),
})

const renameMutation = (mutation: StoreMutation): StoreMutation => {
  switch (mutation.op) {
    case 'putNode':
      return { ...mutation, node: renameNode(mutation.node, toNamedId) }
    case 'patchNode':
    case 'deleteNode':
      return { ...mutation, id: toNamedId(mutation.id) }
    case 'putEdge':
      return { ...mutation, edge: renameEdge(mutation.edge, toNamedId), ...renameMirror(mutation) }
    case 'deleteEdge':
      return { ...mutation, edge: renameEdge(mutation.edge, toNamedId), ...renameMirror(mutation) }
    case 'deriveEntry':
      return { ...mutation, entry: renameEdge(mutation.entry, toNamedId) }
    default:
      return mutation
  }
}

const renameMirror = ({ mirror }: { readonly mirror?: EdgeKey | undefined }) =>
  mirror === undefined ? {} : { mirror: renameEdge(mirror, toNamedId) }

const renameCondition = (condition: Condition): Condition => {
  if (condition.kind === 'field') return condition
  if (condition.kind === 'node') return { ...condition, id: toNamedId(condition.id) }
  const { from, to } = condition
  return { ...condition, from: from && toNamedId(from), to: to && toNamedId(to) }
}

const renameStep = (step: AheadStep): AheadStep => ({
  ...step,
  ahead: renameHint(step.ahead),
  ...renameConditions(step),
})

const renameHint = (ahead: ReadAhead | undefined): ReadAhead | undefined =>
  ahead && new Map([...ahead].map(([type, steps]) => [type, steps.map(renameStep)]))

const renameConditions = ({ conditions }: Pick<EdgeRange, 'conditions'>) =>
  conditions && { conditions: conditions.map(renameCondition) }

const renameRequest = (request: StoreReadRequest): StoreReadRequest => ({
  ...request,
  nodes: request.nodes.map(toNamedId),
  ...(request.nodesAhead && { nodesAhead: request.nodesAhead.map(renameHint) }),
  ranges: request.ranges.map(range => ({
    ...range,
    source: toNamedId(range.source),
    from: range.from && renamePosition(range.from, toNamedId),
    ahead: renameHint(range.ahead),
    ...renameConditions(range),
  })),
  checks: request.checks.map(check => renameEdge(check, toNamedId)),
})

/** Renames the ids of a record, and of the results that were read ahead. */
const renameRecord = (record: NodeRecord): NodeRecord => {
  const { ahead, ...node } = record
  return { ...renameNode(node, toDigitsId), ...(ahead && { ahead: ahead.map(renameAhead) }) }
}

const renameAhead = (result: AheadResult): AheadResult => {
  if (result == null) return result
  if ('entries' in result) return renameRangeResult(result)
  return { node: result.node && renameRecord(result.node) }
}

const renameRangeResult = (result: RangeResult): RangeResult => ({
  ...result,
  entries: result.entries.map(entry => ({
    ...renamePosition(entry, toDigitsId),
    node: renameRecord(entry.node),
  })),
  lastExamined: result.lastExamined && renamePosition(result.lastExamined, toDigitsId),
})

const renameResult = (result: StoreReadResult): StoreReadResult => ({
  ...result,
  nodes: result.nodes.map(node => node && renameRecord(node)),
  ranges: result.ranges.map(renameRangeResult),
  checks: result.checks.map(check => (typeof check === 'boolean' ? check : renameEdge(check, toDigitsId))),
})

const createReader = (reader: StoreReader): StoreReader => ({
  read: async (request, options) => renameResult(await reader.read(renameRequest(request), options)),
})

/**
 * Wraps a store of named ids, so that its callers use ids of digits in their place. Named ids that are not the
 * name of an id of digits stay as they are.
 */
export const withNamedIds = (store: Store): Store =>
  delegateStore(store, {
    ...createReader(store),
    write: (mutations, options) => store.write(mutations.map(renameMutation), options),
    snapshot: async options => {
      const snapshot = await store.snapshot(options)
      return { ...createReader(snapshot), close: () => snapshot.close() }
    },
  })

/** Returns a store that holds ids of digits: the store itself, or the store with named ids in their place. */
export const withDigitsIds = (store: Store): Store =>
  store.capabilities.ids === undefined || store.capabilities.ids.includes('digits')
    ? store
    : withNamedIds(store)
