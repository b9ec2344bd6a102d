import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import { completeValues, hasFilterValues, isEntryWanted, isFilterActive } from './edge-parameters.ts'
import type { ListOptions } from './paging.ts'
import { comparePositions, isWithin, selectList } from './positions.ts'
import { effectiveLimit } from './query-validator.ts'
import type { VisibleWorld } from './visible-world.ts'
import { type EdgeSpec, listNameOf, type Order, type SchemaSpec, type World } from './world.ts'

/** A page of a list. */
type ListPage = {
  readonly order: Order
  readonly entries: readonly EdgeRecord[]
  readonly hasMore: boolean
  /** The number of entries of the whole list. */
  readonly total: number
}

/** Reads a page: sorts and filters the whole visible list, and then takes a part of it. */
export const readListPage = (
  { nodes, edges }: VisibleWorld,
  source: string,
  spec: EdgeSpec,
  options: ListOptions,
): ListPage => {
  const { after, before, parameters, since, until } = options
  const order = options.order === undefined || options.order === 'sideways' ? spec.order : options.order
  const name = listNameOf(options.edge, spec, completeValues(spec, parameters))
  const findNode = (id: string): NodeRecord | undefined => nodes.find(node => node.id === id)
  const list = selectList(edges, source, name, order).filter(entry =>
    isEntryWanted(spec, parameters, entry, findNode(entry.target)),
  )
  const window = list
    .filter(({ time }) => isWithin(time, since, until))
    .filter(edge => after === undefined || comparePositions(order, edge, after) > 0)
    .filter(edge => before === undefined || comparePositions(order, edge, before) < 0)
  const size = effectiveLimit(options)
  const entries = before === undefined || size === 0 ? window.slice(0, size) : window.slice(-size)
  return { order, entries, hasMore: window.length > entries.length, total: list.length }
}

/**
 * Whether a list can be read together with its source, because its order and its stored list do not depend on
 * the source's type.
 */
export const canReadAhead = (
  { types }: SchemaSpec,
  { edge, order, parameters }: ListOptions,
  type: string | undefined,
): boolean => {
  const lists = Object.values(types).flatMap(({ edges }) => edges[edge] ?? [])
  if (type !== undefined || lists.length === 1) return true
  const isGiven = Object.values(parameters ?? {}).some(value => value !== undefined)
  if (isGiven || lists.some(list => hasFilterValues(list))) return false
  return order !== undefined || new Set(lists.map(list => list.order)).size === 1
}

/** Whether the count of a list needs a read of its own: the list is filtered, and the page is a window of it. */
export const isCountedSeparately = (
  { edges }: World,
  source: string,
  spec: EdgeSpec,
  { edge, limit, summary, since, until, after, before, parameters }: ListOptions,
): boolean => {
  const isWindow = limit !== 0 && [since, until, after, before].some(part => part !== undefined)
  if (!summary || !isWindow || !isFilterActive(spec, parameters)) return false
  const name = listNameOf(edge, spec, completeValues(spec, parameters))
  return edges.some(entry => entry.source === source && entry.name === name)
}
