import type {
  AheadResult,
  AheadStep,
  NodeRecord,
  ReadAhead,
  StoreReadRequest,
  StoreReadResult,
} from '../../src/store/contract.ts'

const isList = (result: AheadResult): boolean => result != null && 'entries' in result

/** Leaves out of expected results what a store has left out below the entries that only show that a list continues. */
class LeftOutResults {
  /** The number of results that were left out. */
  count = 0

  record(expected: NodeRecord, received: NodeRecord | undefined, ahead: ReadAhead | undefined): NodeRecord {
    const steps = ahead?.get(expected.type)
    const results = expected.ahead?.map((one, index) =>
      this.#result(one, received?.ahead?.[index], steps?.[index]),
    )
    return { ...expected, ...(results && { ahead: results }) }
  }

  #result(expected: AheadResult, received: AheadResult, step: AheadStep | undefined): AheadResult {
    if (expected == null || received == null || step === undefined) return expected
    if ('node' in expected) {
      const node = 'node' in received ? received.node : undefined
      return { node: expected.node && this.record(expected.node, node, step.ahead) }
    }
    const receivedEntries = 'entries' in received ? received.entries : []
    const pageLimit = (step.kind === 'list' && step.conditions && step.pageLimit) || expected.entries.length
    const entries = expected.entries.map((entry, index) => {
      const receivedNode = receivedEntries[index]?.node
      const node = this.record(entry.node, receivedNode, step.ahead)
      return { ...entry, node: index < pageLimit ? node : this.#withoutLists(node, receivedNode) }
    })
    return { ...expected, entries }
  }

  #withoutLists(expected: NodeRecord, received: NodeRecord | undefined): NodeRecord {
    const ahead = expected.ahead?.map((result, index) => {
      if (!isList(result) || received?.ahead?.[index] != null) return result
      this.count++
      return undefined
    })
    return { ...expected, ...(ahead && { ahead }) }
  }
}

/**
 * Returns an expected result without the lists below entries after a page that a store has left out, and how many these
 * are.
 */
export const withoutLeftOutLists = (
  { nodesAhead, ranges }: StoreReadRequest,
  expected: StoreReadResult,
  received: StoreReadResult,
): { readonly expected: StoreReadResult; readonly count: number } => {
  const leftOut = new LeftOutResults()
  const nodes = expected.nodes.map(
    (node, index) => node && leftOut.record(node, received.nodes[index], nodesAhead?.[index]),
  )
  const rangeResults = expected.ranges.map((range, index) => ({
    ...range,
    entries: range.entries.map((entry, entryIndex) => ({
      ...entry,
      node: leftOut.record(
        entry.node,
        received.ranges[index]?.entries[entryIndex]?.node,
        ranges[index]?.ahead,
      ),
    })),
  }))
  return { expected: { ...expected, nodes, ranges: rangeResults }, count: leftOut.count }
}
