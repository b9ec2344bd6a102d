import type { ParsedFields } from '../plan/planner.ts'
import { wantedFieldsOf } from '../read/pages.ts'
import type { WantedFields } from '../store/contract.ts'
import { joinFields, joinWantedFields } from '../store/wanted-fields.ts'
import type { EdgeReadModes } from './edge-read-modes.ts'
import type { EdgeRequest, EdgeRequestInput } from './edge-request.ts'
import { planEntriesEarly } from './plan-roots.ts'
import type { Query } from './query.ts'

/**
 * Returns the type that the sources of a call have if they have the edge. Returns `undefined` if they may have
 * several types, or if no type has the edge.
 */
const findSourceType = (
  { engine }: Query,
  ids: readonly string[],
  { modes }: EdgeReadModes,
): string | undefined => {
  const { viewers } = engine.registry.schema
  let source: string | undefined
  for (const type of modes.keys()) {
    if (!viewers.includes(type) && ids.every(id => id === 'me')) continue
    if (source !== undefined) return undefined
    source = type
  }
  return source
}

/** Returns the fields that the sources of an edge need, for their policies and for that of the edge. */
export const sourceFieldsOf = ({ engine, input }: Query<{ readonly edge: string }>): WantedFields =>
  engine.registry.sourceFields.ofEdge(input.edge)

/**
 * Returns the fields that sources and the entries that are read with them need, or `undefined` for all fields if
 * the plan of the entries is not known yet.
 */
export const listFieldsOf = (
  query: Query<EdgeRequestInput>,
  edgeRequest: EdgeRequest,
): WantedFields | undefined => {
  const source = findSourceType(query, query.input.ids, edgeRequest)
  const mode = source === undefined ? undefined : edgeRequest.modes.get(source)
  if (source === undefined || mode === undefined) return undefined
  const plan = planEntriesEarly(query, edgeRequest.parsedFields, source)
  if (plan === undefined) return undefined
  edgeRequest.earlyPlan = { source, plan }
  return joinWantedFields(sourceFieldsOf(query), wantedFieldsOf(plan.selection, mode.edgeList))
}

/** Returns the fields that both ends of an edge need, for the policies and the filters of the edge. */
export const endFieldsOf = (
  query: Query<{ readonly edge: string }>,
  { modes }: EdgeReadModes,
): WantedFields => {
  let fields = sourceFieldsOf(query)
  for (const { edgeList } of modes.values())
    if (edgeList.filter !== undefined) fields = joinFields(fields, edgeList.filter.wantedFields)
  return fields
}

/**
 * Returns the fields that both ends of an edge need if the result contains its entry, or `undefined` for all
 * fields if the plan of the entry is not known yet.
 */
export const entryFieldsOf = (
  query: Query<{ readonly id: string; readonly edge: string }>,
  modes: EdgeReadModes,
  parsedFields: ParsedFields,
): WantedFields | undefined => {
  const source = findSourceType(query, [query.input.id], modes)
  const plan = source === undefined ? undefined : planEntriesEarly(query, parsedFields, source)
  return joinWantedFields(endFieldsOf(query, modes), plan?.selection.wanted.fields)
}
