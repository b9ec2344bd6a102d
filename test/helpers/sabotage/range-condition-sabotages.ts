import type { EdgeRange, RangeResult } from '../../../src/store/contract.ts'
import { type Sabotage, sabotageModel } from './sabotage.ts'

type Change = (result: RangeResult, range: EdgeRange) => RangeResult

/** Changes the results of the ranges with conditions. */
const sabotageResult = (name: string, change: Change): Sabotage =>
  sabotageModel(name, 'conditions of ranges', store => ({
    read: async (request, options) => {
      const result = await store.read(request, options)
      const ranges = result.ranges.map((rangeResult, index) => {
        const range = request.ranges[index]
        return range?.conditions === undefined ? rangeResult : change(rangeResult, range)
      })
      return { ...result, ranges }
    },
  }))

/** Changes the ranges with conditions before they are read. */
const sabotageRange = (name: string, change: (range: EdgeRange) => EdgeRange): Sabotage =>
  sabotageModel(name, 'conditions of ranges', store => ({
    read: (request, options) => {
      const ranges = request.ranges.map(range => (range.conditions === undefined ? range : change(range)))
      return store.read({ ...request, ranges }, options)
    },
  }))

/** Stores that filter by conditions wrongly. */
export const rangeConditionSabotages: readonly Sabotage[] = [
  sabotageResult('an examined limit that reports the end too early', result => ({
    ...result,
    hasMore: false,
  })),
  sabotageResult('examined rows that are not counted', result => ({ ...result, examined: 1 })),
  sabotageResult('the returned entries as the examined rows', result => ({
    ...result,
    examined: result.entries.length,
  })),
  sabotageResult('the last returned entry as the last examined', ({ entries, ...result }) => ({
    ...result,
    entries,
    lastExamined: entries.at(-1),
  })),
  sabotageResult('a later condition than the first one that holds', (result, { conditions = [] }) => ({
    ...result,
    entries: result.entries.map(entry => ({
      ...entry,
      node: { ...entry.node, heldCondition: conditions.length - 1 },
    })),
  })),
  sabotageRange('an empty list of conditions that lets all pass', range => ({
    ...range,
    conditions:
      range.conditions?.length === 0
        ? [{ kind: 'field', field: 'kind', anyOf: ['a', 'b'] }]
        : range.conditions,
  })),
  sabotageRange('only the first condition', range => ({
    ...range,
    conditions: range.conditions?.slice(0, 1),
  })),
  sabotageRange('conditions without the data of edges', range => ({
    ...range,
    conditions: range.conditions?.map(condition =>
      condition.kind === 'edge' ? { ...condition, where: undefined } : condition,
    ),
  })),
  sabotageRange('conditions about the node instead of its ref', range => ({
    ...range,
    conditions: range.conditions?.map(condition =>
      condition.kind === 'field' ? condition : { ...condition, of: undefined },
    ),
  })),
  sabotageRange('only the first of several values', range => ({
    ...range,
    conditions: range.conditions?.map(condition =>
      condition.kind === 'field' ? { ...condition, anyOf: condition.anyOf.slice(1) } : condition,
    ),
  })),
]
