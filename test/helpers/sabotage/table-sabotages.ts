import type {
  EdgePosition,
  EdgeRange,
  Store,
  StoreReadRequest,
  StoreReadResult,
} from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import type { WorldGraphOptions } from '../table-worlds/graph.ts'

/** A store over the tables of worlds with one defect. */
export type TableSabotage = {
  readonly name: string
  readonly hasPolicies: boolean
  /** The part of the declaration that the store does not know. */
  readonly without?: WorldGraphOptions['without']
  /** Wraps the store. `other` does not know which rows are deleted. */
  readonly wrap?: (store: Store, other: Store) => Store
}

const withReads = (
  store: Store,
  read: (request: StoreReadRequest, result: StoreReadResult) => StoreReadResult,
  change: (request: StoreReadRequest) => StoreReadRequest = request => request,
): Store =>
  delegateStore(store, {
    read: async (request, options) => read(request, await store.read(change(request), options)),
  })

const unchanged = (_: StoreReadRequest, result: StoreReadResult): StoreReadResult => result

const changeRequest = (
  name: string,
  hasPolicies: boolean,
  change: (request: StoreReadRequest) => StoreReadRequest,
): TableSabotage => ({ name, hasPolicies, wrap: store => withReads(store, unchanged, change) })

/** Changes the positions from which ranges continue. */
const changeStarts = (
  name: string,
  change: (position: EdgePosition, range: EdgeRange) => EdgePosition,
): TableSabotage =>
  changeRequest(name, false, request => ({
    ...request,
    ranges: request.ranges.map(range => ({ ...range, from: range.from && change(range.from, range) })),
  }))

const changeResult = (
  name: string,
  hasPolicies: boolean,
  change: (result: StoreReadResult) => StoreReadResult,
): TableSabotage => ({ name, hasPolicies, wrap: store => withReads(store, (_, result) => change(result)) })

/** Takes the counts from the store that does not know which rows are deleted. */
const countDeleted: TableSabotage = {
  name: 'counts that ignore a filter',
  hasPolicies: false,
  wrap: (store, other) =>
    delegateStore(store, {
      read: async (request, options) => {
        const result = await store.read(request, options)
        const { ranges } = await other.read(request, options)
        return {
          ...result,
          ranges: result.ranges.map((range, index) => ({ ...range, total: ranges[index]?.total })),
        }
      },
    }),
}

/** Stores over tables with mistakes that are easily made. */
export const tableSabotages: readonly TableSabotage[] = [
  { name: 'deleted rows that are nodes', hasPolicies: false, without: 'deleted' },
  { name: 'rows of all tenants', hasPolicies: true, without: 'tenants' },
  { name: 'rows without a value that are left out', hasPolicies: false, without: 'nulls' },
  countDeleted,
  changeStarts('positions compared in milliseconds', ({ key = '', ...position }, { direction }) => ({
    ...position,
    key: key.replace(/\d{3}Z$/, direction === 'newest' ? '000Z' : '999Z'),
  })),
  changeStarts('entries with equal times that have no order', (position, { direction }) => ({
    ...position,
    target: position.target.replace(/^(photo|account)-\d+$/, direction === 'newest' ? '$1-0' : '$1-99'),
  })),
  changeRequest('windows of times without an end', false, request => ({
    ...request,
    ranges: request.ranges.map(range => ({ ...range, maxTime: undefined })),
  })),
  changeRequest('wanted fields without those of rules', true, request => ({
    ...request,
    fields: request.fields && new Map([...request.fields].map(([type]) => [type, new Set(['name'])])),
  })),
  changeRequest('conditions of which only the first is evaluated', true, request => ({
    ...request,
    ranges: request.ranges.map(range => ({ ...range, conditions: range.conditions?.slice(0, 1) })),
  })),
  changeResult('counts under conditions that ignore the conditions', true, result => ({
    ...result,
    ranges: result.ranges.map(range =>
      range.passing === undefined || range.total === undefined ? range : { ...range, passing: range.total },
    ),
  })),
  changeResult('entries without the fields of their edges', false, result => ({
    ...result,
    ranges: result.ranges.map(range => ({
      ...range,
      entries: range.entries.map(entry => ({ ...entry, data: undefined })),
    })),
  })),
  changeResult('edges that exist for every check', true, result => ({
    ...result,
    checks: result.checks.map(found => (found === false ? true : found)),
  })),
]
