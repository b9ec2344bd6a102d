import type {
  AheadResult,
  AheadStep,
  Condition,
  NodeRecord,
  ReadAhead,
  Store,
} from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { type Sabotage, sabotageModel } from './sabotage.ts'

type ListResult = Extract<AheadResult, { readonly hasMore: boolean }>

/** Changes each result that was read ahead, at every level. */
const changeAhead = (record: NodeRecord, change: (result: AheadResult) => AheadResult): NodeRecord => {
  if (record.ahead === undefined) return record
  const changeBelow = (result: AheadResult): AheadResult => {
    if (result == null) return result
    if ('node' in result) return { node: result.node && changeAhead(result.node, change) }
    const entries = result.entries.map(entry => ({ ...entry, node: changeAhead(entry.node, change) }))
    return { ...result, entries }
  }
  return { ...record, ahead: record.ahead.map(result => change(changeBelow(result))) }
}

const sabotageAhead = (name: string, change: (result: AheadResult) => AheadResult): Sabotage =>
  sabotageModel(name, 'reading ahead', store => ({
    read: async (request, options) => {
      const result = await store.read(request, options)
      return {
        ...result,
        nodes: result.nodes.map(node => node && changeAhead(node, change)),
        ranges: result.ranges.map(range => ({
          ...range,
          entries: range.entries.map(entry => ({ ...entry, node: changeAhead(entry.node, change) })),
        })),
      }
    },
  }))

const sabotageList = (name: string, change: (result: ListResult) => ListResult): Sabotage =>
  sabotageAhead(name, result => (result != null && 'entries' in result ? change(result) : result))

/** Changes the conditions of the lists that are read ahead, at every level. */
const changeConditions = (ahead: ReadAhead | undefined, change: ChangeConditions): ReadAhead | undefined => {
  const changeStep = (step: AheadStep): AheadStep => {
    const below = changeConditions(step.ahead, change)
    return { ...step, ahead: below, conditions: step.conditions && change(step.conditions) }
  }
  return ahead && new Map([...ahead].map(([type, steps]) => [type, steps.map(changeStep)]))
}

type ChangeConditions = (conditions: readonly Condition[]) => readonly Condition[]

const sabotageConditions = (name: string, change: ChangeConditions): Sabotage =>
  sabotageModel(name, 'reading ahead', store => ({
    read: (request, options): ReturnType<Store['read']> => {
      const nodesAhead = request.nodesAhead?.map(ahead => changeConditions(ahead, change))
      const ranges = request.ranges.map(range => ({
        ...range,
        ahead: changeConditions(range.ahead, change),
      }))
      return store.read({ ...request, ...(nodesAhead && { nodesAhead }), ranges }, options)
    },
  }))

/** Changes the lists that were read ahead under conditions. */
const sabotageConditionalList = (name: string, change: (result: ListResult) => ListResult): Sabotage =>
  sabotageList(name, result => (result.examined === undefined ? result : change(result)))

/** Changes the results below the entries after the page of each list that is read ahead of a node. */
const changeAfterPages = (
  store: Store,
  change: (result: AheadResult) => AheadResult,
): Pick<Store, 'read'> => ({
  read: async (request, options) => {
    const result = await store.read(request, options)
    const changeList = (list: AheadResult, step: AheadStep | undefined): AheadResult => {
      if (list == null || 'node' in list || step?.kind !== 'list') return list
      const { pageLimit = step.limit } = step
      const entries = list.entries.map((entry, index) =>
        index < pageLimit ? entry : { ...entry, node: changeAhead(entry.node, change) },
      )
      return { ...list, entries }
    }
    const nodes = result.nodes.map((node, index) => {
      const steps = node && request.nodesAhead?.[index]?.get(node.type)
      return node && { ...node, ahead: node.ahead?.map((list, step) => changeList(list, steps?.[step])) }
    })
    return { ...result, nodes }
  },
})

const toEmptyResult = (result: AheadResult): AheadResult =>
  result != null && 'entries' in result
    ? { ...result, entries: [], hasMore: false, lastExamined: undefined }
    : { node: undefined }

/** Returns a store that leaves out what is read ahead below entries that only show that a list continues. */
export const leaveOutAfterPages = (store: Store): Store =>
  delegateStore(
    store,
    changeAfterPages(store, () => undefined),
  )

/** Gives every node the hint of the first one. */
const mixUpHints = (store: Store): Partial<Store> => ({
  read: (request, options): ReturnType<Store['read']> =>
    store.read({ ...request, nodesAhead: request.nodes.map(() => request.nodesAhead?.[0]) }, options),
})

/** Stores that attach wrong results to their records. */
export const aheadSabotages: readonly Sabotage[] = [
  sabotageList('read ahead with a missing row', result => ({
    ...result,
    entries: result.entries.slice(0, -1),
  })),
  sabotageList('read ahead in the other direction', result => ({
    ...result,
    entries: result.entries.toReversed(),
  })),
  sabotageList('read ahead with the end too early', result => ({ ...result, hasMore: false })),
  sabotageList('read ahead with one row more', result => ({
    ...result,
    entries: result.entries.concat(result.entries.slice(-1)),
  })),
  sabotageList('read ahead without the data of edges', result => ({
    ...result,
    entries: result.entries.map(entry => ({ ...entry, data: undefined })),
  })),
  sabotageList('read ahead with a count of the page', result => ({
    ...result,
    total: result.total === undefined ? undefined : result.entries.length,
  })),
  sabotageList('read ahead with fields of another node', result => {
    const fields = result.entries[0]?.node.fields ?? {}
    return {
      ...result,
      entries: result.entries.map(entry => ({ ...entry, node: { ...entry.node, fields } })),
    }
  }),
  sabotageAhead('read ahead of refs without their nodes', result =>
    result != null && 'node' in result ? { node: undefined } : result,
  ),
  sabotageConditions('read ahead with conditions that let too much through', conditions => [
    ...conditions,
    { kind: 'field', field: 'text', anyOf: ['plain', '"'] },
  ]),
  sabotageConditions('read ahead with conditions that let too little through', conditions =>
    conditions.map(condition =>
      condition.kind === 'field' ? { ...condition, anyOf: condition.anyOf.slice(1) } : condition,
    ),
  ),
  sabotageConditionalList('read ahead under conditions with the end too early', result => ({
    ...result,
    hasMore: false,
  })),
  sabotageConditionalList('read ahead under conditions with too few examined rows', result => ({
    ...result,
    examined: result.entries.length,
  })),
  sabotageConditionalList('read ahead under conditions with a count of the page', result => ({
    ...result,
    passing: result.entries.length,
  })),
  sabotageAhead('read ahead of refs for which another condition holds', result =>
    result != null && 'node' in result && result.node?.heldCondition !== undefined
      ? { node: { ...result.node, heldCondition: 0 } }
      : result,
  ),
  sabotageConditionalList('read ahead of entries for which another condition holds', result => ({
    ...result,
    entries: result.entries.map(entry => ({ ...entry, node: { ...entry.node, heldCondition: 0 } })),
  })),
  sabotageModel('read ahead with nothing below the entries after a page', 'reading ahead', store =>
    changeAfterPages(store, toEmptyResult),
  ),
  sabotageModel('read ahead with the hint of another node', 'reading ahead', mixUpHints),
]
