import type { NodeId } from '../base/ids.ts'
import { joinPath } from '../base/join-path.ts'
import type { JsonValue } from '../base/json.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { Parameter, ParameterValues } from '../schema/parameter.ts'
import { storedListOf } from '../schema/stored-lists.ts'
import type { EdgeKey } from '../store/contract.ts'
import { type DerivedEntry, orderListOf } from '../store/derived-entries.ts'
import { createUnknownNameIssue, requireObject } from './input-values.ts'
import type { EdgeChoice } from './mutation.ts'
import type { WritableFields } from './writable-fields.ts'
import { requireNodeType, requireWritableType, type WriteBatch } from './write-batch.ts'
import type { StoredOrder, WritableEdge, WritableTarget } from './write-schema.ts'

/** An edge of a type, and the name of its stored list that a mutation changes. */
type ChosenList = { readonly edge: WritableEdge; readonly list: string }

const PATH = 'edge.parameters'

const parseValue = (parameter: Parameter, value: unknown, path: string): JsonValue | undefined => {
  if (value === undefined) {
    if (parameter.required) throw new ValidationIssue('a value, since it is required', value, path)
    return parameter.default
  }
  try {
    return parameter.type.parse(value)
  } catch (error) {
    throw error instanceof ValidationIssue ? error.withPathPrefix(path) : error
  }
}

/** Asserts that a parameter chooses a stored list. Any other one would have no effect. */
const requireListParameter = (
  { name: edgeName, parameters, lists }: WritableEdge,
  name: string,
  value: unknown,
): void => {
  const listParameters = lists?.parameters ?? []
  if (listParameters.includes(name)) return
  const path = joinPath(PATH, name)
  if (Object.hasOwn(parameters, name))
    throw new ValidationIssue('left out, since it does not choose a stored list', value, path)
  throw createUnknownNameIssue(
    path,
    `a parameter that chooses a stored list of ${edgeName}`,
    name,
    listParameters,
  )
}

/**
 * Validates the parameters that choose a stored list, and adds the defaults.
 *
 * @throws a {@link ValidationIssue} whose path begins with `edge.parameters`.
 */
const parseListParameters = (edge: WritableEdge, given: unknown): ParameterValues => {
  const input =
    given === undefined ? {} : requireObject(given, PATH, 'an object that maps names of parameters to values')
  for (const name of Object.keys(input)) requireListParameter(edge, name, input[name])
  const values: { [name: string]: JsonValue | undefined } = {}
  for (const name of edge.lists?.parameters ?? []) {
    const parameter = edge.parameters[name]
    if (parameter !== undefined) values[name] = parseValue(parameter, input[name], joinPath(PATH, name))
  }
  return values
}

/**
 * Returns the edge that a mutation names, and the stored list that its parameters choose. A record of a load
 * may also name the stored list.
 *
 * @throws a {@link ValidationIssue}.
 */
export const chooseList = (
  batch: WriteBatch,
  { source, name, parameters, mayNameList }: EdgeChoice,
): ChosenList => {
  const { edges, edgesByList } = requireWritableType(batch, source, 'edge.source')
  const edgeOfList = edgesByList.get(name)
  if (edgeOfList !== undefined && mayNameList && parameters === undefined)
    return { edge: edgeOfList, list: name }
  const edge = edges.get(name)
  if (edge?.isComputed) throw new ValidationIssue('a stored edge, which is not computed', name, 'edge.name')
  if (edge !== undefined)
    return { edge, list: storedListOf(edge, name, parseListParameters(edge, parameters)) }
  if (edgeOfList === undefined)
    throw createUnknownNameIssue(
      'edge.name',
      `an edge of the type ${batch.types.get(source)}`,
      name,
      edges.keys(),
    )
  if (mayNameList)
    throw new ValidationIssue('left out, since "name" is the name of a stored list', parameters, PATH)
  const expected = `"${edgeOfList.name}" with "parameters", since it is the edge of this stored list`
  throw new ValidationIssue(expected, name, 'edge.name')
}

const requireTarget = (batch: WriteBatch, { targets }: WritableEdge, target: NodeId): WritableTarget => {
  const type = requireNodeType(batch, target, 'edge.target')
  const writableTarget = targets.get(type)
  if (writableTarget === undefined) {
    const allowedTypes = [...targets.keys()].join(' or ')
    throw new ValidationIssue(`the id of a node of type ${allowedTypes} (not ${type})`, target, 'edge.target')
  }
  return writableTarget
}

/** A stored edge of a batch, with the stored edge that is its mirror. */
export type ResolvedEdge = {
  readonly key: EdgeKey
  /** Undefined if the edge has no mirror or is its own mirror. */
  readonly mirror: EdgeKey | undefined
  /** The entries of both sides in further orders. */
  readonly entries: readonly DerivedEntry[]
  readonly dataFields: WritableFields
}

const createEntries = (
  { source, name, target }: EdgeKey,
  orders: readonly StoredOrder[],
): readonly DerivedEntry[] =>
  orders.map(order => ({ source, name: orderListOf(name, order.name), target, by: order.by }))

/**
 * Returns the keys of an edge and of its mirror in their stored lists.
 *
 * @throws a {@link ValidationIssue} if the target is missing or has a type that the edge does not lead to.
 */
export const resolveEdge = (
  batch: WriteBatch,
  { edge, list }: ChosenList,
  { source, target }: EdgeKey,
): ResolvedEdge => {
  const { mirrorLists, mirrorOrders, dataFields } = requireTarget(batch, edge, target)
  const mirrorList = mirrorLists?.get(list)
  const isOwnMirror = mirrorList === list && source === target
  const key = { source, name: list, target }
  const mirror =
    mirrorList === undefined || isOwnMirror ? undefined : { source: target, name: mirrorList, target: source }
  return {
    key,
    mirror,
    entries: [
      ...createEntries(key, edge.orders),
      ...(mirror === undefined ? [] : createEntries(mirror, mirrorOrders)),
    ],
    dataFields,
  }
}
