import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import { ROOT } from './collections.ts'
import { findList, hasFilterValues, isEntryWanted, isFilterActive } from './edge-parameters.ts'
import { compareInOrder, findOrder, type ListOrder, positionOf, requireOrder } from './list-order.ts'
import type { ListOptions } from './paging.ts'
import { isWithin } from './positions.ts'
import { effectiveLimit } from './query-validator.ts'
import type { VisibleWorld } from './visible-world.ts'
import type { EdgeSpec, SchemaSpec, World } from './world.ts'

/** A page of a list. */
type ListPage = {
  readonly order: ListOrder
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
  const order = requireOrder(spec, options.order)
  const name = findList(options.edge, spec, parameters)
  const findNode = (id: string): NodeRecord | undefined => nodes.find(node => node.id === id)
  const list = edges
    .filter(edge => edge.source === source && edge.name === name)
    .filter(entry => isEntryWanted(spec, parameters, entry, findNode(entry.target)))
    .map(entry => ({ entry, position: positionOf(order, entry) }))
    .toSorted((a, b) => compareInOrder(order, a.position, b.position))
  const window = list
    .filter(({ position }) => isWithin(position.time, since, until))
    .filter(({ position }) => after === undefined || compareInOrder(order, position, after) > 0)
    .filter(({ position }) => before === undefined || compareInOrder(order, position, before) < 0)
    .map(({ entry }) => entry)
  const size = effectiveLimit(options)
  const entries = before === undefined || size === 0 ? window.slice(0, size) : window.slice(-size)
  return { order, entries, hasMore: window.length > entries.length, total: list.length }
}

/**
 * Whether a list of a stored node can be read together with the node, because its order and its stored list do
 * not depend on the type of the node.
 */
export const canReadAhead = (
  { types }: SchemaSpec,
  { edge, order, parameters }: ListOptions,
  type: string | undefined,
): boolean => {
  const lists = Object.entries(types).flatMap(([name, { edges }]) =>
    name === ROOT ? [] : (edges[edge] ?? []),
  )
  const orders = lists.map(list => findOrder(list, order))
  if (type !== undefined || lists.length === 1) return true
  const isGiven = Object.values(parameters ?? {}).some(value => value !== undefined)
  if (isGiven || lists.some(list => hasFilterValues(list))) return false
  return !orders.includes(undefined) && new Set(orders.map(one => JSON.stringify(one))).size === 1
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
  const name = findList(edge, spec, parameters)
  return edges.some(entry => entry.source === source && entry.name === name)
}
