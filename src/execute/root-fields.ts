import type { ParsedFields } from '../plan/planner.ts'
import { wantedFieldsOf } from '../read/pages.ts'
import type { WantedFields } from '../store/contract.ts'
import { joinWantedFields } from '../store/wanted-fields.ts'
import type { EdgeReadModes } from './edge-read-modes.ts'
import type { EdgeRequest, EdgeRequestInput } from './edge-request.ts'
import { planEntriesEarly } from './plan-roots.ts'
import type { Query } from './query.ts'

/** Returns the types that the sources of a call may have, of those that have the edge. */
const findSourceTypes = (
  { engine }: Query,
  ids: readonly string[],
  { modes }: EdgeReadModes,
): readonly string[] => {
  const types = [...modes.keys()]
  const { viewers } = engine.registry.schema
  return ids.every(id => id === 'me') ? types.filter(type => viewers.includes(type)) : types
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
  const sourceTypes = findSourceTypes(query, query.input.ids, edgeRequest)
  const plan = planEntriesEarly(query, edgeRequest.parsedFields, sourceTypes)
  const mode = edgeRequest.modes.get(sourceTypes[0] ?? '')
  if (plan === undefined || mode === undefined) return undefined
  return joinWantedFields(sourceFieldsOf(query), wantedFieldsOf(plan.selection, mode.edgeList))
}

/** Returns the fields that both ends of an edge need, for the policies and the filters of the edge. */
export const endFieldsOf = (
  query: Query<{ readonly edge: string }>,
  { modes }: EdgeReadModes,
): WantedFields => {
  let fields = sourceFieldsOf(query)
  for (const { edgeList } of modes.values())
    fields = joinWantedFields(fields, edgeList.filter?.wantedFields ?? fields) ?? fields
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
  const sourceTypes = findSourceTypes(query, [query.input.id], modes)
  const plan = planEntriesEarly(query, parsedFields, sourceTypes)
  return joinWantedFields(endFieldsOf(query, modes), plan?.selection.wanted.fields)
}
