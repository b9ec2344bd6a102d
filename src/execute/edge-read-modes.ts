import { readOrder } from '../plan/arguments.ts'
import {
  assertPageOptions,
  assertParameterNames,
  createEdgeList,
  createGivenParameters,
  isSameList,
  leavesOutEntries,
  parseGivenParameters,
} from '../plan/edge-parameters.ts'
import { edgeNotFoundError } from '../plan/not-found-errors.ts'
import type { GivenValue } from '../plan/parameter-values.ts'
import type { EdgeList, GivenParameters } from '../plan/window.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { ParameterValues } from '../schema/parameter.ts'
import { ROOT_ID } from '../store/derived-entries.ts'
import type { Query } from './query.ts'

/** The properties of an edge, and its parameters, that decide how its lists are read. */
export type EdgeReadMode = {
  readonly edgeList: EdgeList
  readonly parameters: GivenParameters
  /** The values of the parameters, with defaults. Ids are not resolved yet. */
  readonly values: ParameterValues
  /** Whether entries may be left out: for a policy of a target, or by a filter. */
  readonly isFiltered: boolean
  /** The number of refs that the policies of the targets follow in a row. */
  readonly inheritedDepth: number
  readonly appScoped: boolean
  /** The only type of the targets, if the store filters lists by conditions about them. */
  readonly conditionsType: string | undefined
}

/** The modes of all types that may have an edge. */
export type EdgeReadModes = {
  /** The mode in which the lists are read, by the type of their sources. Equal modes are the same object. */
  readonly modes: ReadonlyMap<string, EdgeReadMode>
  /** The error of each type whose edge does not accept the parameters. */
  readonly errors: ReadonlyMap<string, unknown>
}

/** The sources and the edge of a call, the type of the sources if the call names it, and the given parameters. */
type EdgeInput = {
  readonly ids: readonly string[]
  readonly edge: string
  readonly type: string | undefined
  readonly parameters: ReadonlyMap<string, GivenValue>
}

/**
 * Creates the mode in which the lists of an edge are read.
 *
 * @throws GraphError `invalid_parameter` for a parameter that the edge does not have, or for a value that is
 * not valid and does not depend on the session.
 */
const createEdgeReadMode = (
  { registry, appIds, store }: Query['engine'],
  { edge, parameters: given }: EdgeInput,
  edgeType: EdgeType,
  requestedOrder: unknown,
): EdgeReadMode => {
  assertParameterNames(edge, edgeType, given)
  const parameters = createGivenParameters(edgeType, given)
  const values = parseGivenParameters(parameters, [])
  const edgeList = createEdgeList(
    registry,
    edge,
    edgeType,
    readOrder(edgeType, requestedOrder),
    given,
    values,
  )
  assertPageOptions(edgeList, { order: requestedOrder })
  return {
    edgeList,
    parameters,
    values,
    isFiltered: leavesOutEntries(edgeType, given) || registry.isUnderPolicy(edgeType),
    inheritedDepth: registry.inheritedDepthOfEdge(edgeType),
    appScoped: appIds !== undefined && registry.isAppScoped(edgeType),
    conditionsType:
      store.capabilities.conditions === true && edgeType.targets.length === 1
        ? edgeType.targets[0]
        : undefined,
  }
}

const isSameMode = (first: EdgeReadMode, second: EdgeReadMode): boolean =>
  isSameList(first, second) &&
  first.isFiltered === second.isFiltered &&
  first.inheritedDepth === second.inheritedDepth &&
  first.appScoped === second.appScoped &&
  first.conditionsType === second.conditionsType

/**
 * Returns the types that the sources of a call may have. Only the node `root` has its type, so a collection is
 * never confused with an edge of the same name.
 */
const findSourceTypes = (
  { registry }: Query['engine'],
  { ids, type, edge }: EdgeInput,
): readonly string[] => {
  if (type !== undefined) return [type]
  const types = registry.sourceTypesOf(edge)
  if (registry.getType(ROOT_TYPE) === undefined || ids.length === 0) return types
  const [mayBeRoot, mayBeOther] = [ids.includes(ROOT_ID), ids.some(id => id !== ROOT_ID)]
  return types.filter(name => (name === ROOT_TYPE ? mayBeRoot : mayBeOther))
}

/**
 * Chooses the mode in which the lists of an edge are read, for each type that may have the edge. A requested
 * order takes precedence over the order of the edge.
 *
 * @throws GraphError `invalid_parameter` if no type accepts the parameters.
 */
export const chooseEdgeReadModes = (
  engine: Query['engine'],
  input: EdgeInput,
  requestedOrder: unknown,
): EdgeReadModes => {
  const { registry } = engine
  const modes = new Map<string, EdgeReadMode>()
  const errors = new Map<string, unknown>()
  for (const sourceType of findSourceTypes(engine, input)) {
    const edgeType = registry.getEdge(sourceType, input.edge)
    if (edgeType === undefined) continue
    try {
      const mode = createEdgeReadMode(engine, input, edgeType, requestedOrder)
      modes.set(sourceType, [...modes.values()].find(other => isSameMode(other, mode)) ?? mode)
    } catch (error) {
      errors.set(sourceType, error)
    }
  }
  const [firstError] = errors.values()
  if (modes.size === 0 && errors.size > 0) throw firstError
  return { modes, errors }
}

/**
 * Returns the mode in which the lists of one type are read.
 *
 * @throws GraphError `field_not_found` if the type does not have the edge; `invalid_parameter` if its edge does
 * not accept the parameters.
 */
export const requireEdgeReadMode = (
  { registry }: Query['engine'],
  { modes, errors }: EdgeReadModes,
  type: string,
  edge: string,
): EdgeReadMode => {
  if (errors.has(type)) throw errors.get(type)
  const mode = modes.get(type)
  if (mode === undefined) throw edgeNotFoundError(registry, type, edge)
  return mode
}
