import { ignoreRejection } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { ListFilter, Window } from '../plan/window.ts'
import type { EdgeEntry, NodeRecord } from '../store/contract.ts'
import { edgeTimeOf } from '../store/derived-entries.ts'
import type { ExecutionContext } from './context.ts'
import type { PageRequest } from './pages.ts'

const NO_DATA: JsonObject = Object.freeze({})

const pickMembers = (members: JsonObject, names: readonly string[]): JsonObject => {
  const picked: { [name: string]: JsonValue } = {}
  for (const name of names) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined
    if (value !== undefined) picked[name] = value
  }
  return picked
}

const evaluateFilter = (
  { where, targetFields, edgeFields }: ListFilter,
  edgeEntry: EdgeEntry,
  parameters: Window['parameters'],
  checkTarget: (target: NodeRecord) => NodeRecord,
): boolean => {
  const { data, node } = edgeEntry
  const target = { id: node.id, type: node.type, fields: pickMembers(node.fields, targetFields) }
  const entry = {
    data: data === undefined ? NO_DATA : pickMembers(data, edgeFields),
    time: edgeTimeOf(edgeEntry),
    target: checkTarget(target),
  }
  const isMatch: unknown = where(entry, parameters)
  if (typeof isMatch === 'boolean') return isMatch
  ignoreRejection(isMatch)
  throw usageErrorAbout('where', 'the result', 'a boolean', describeValue(isMatch))
}

const matchAll = (): boolean => true

/**
 * Creates the function that returns whether an entry passes the filter of its edge. The function is called
 * only for entries that the viewer may see. An entry for which the filter throws is left out and reported.
 */
export const createEntryTest = (
  { reporter, readGuard }: Pick<ExecutionContext, 'reporter' | 'readGuard'>,
  type: string,
  { name, filter }: Pick<PageRequest, 'name' | 'filter'>,
  { parameters }: Pick<Window, 'parameters'>,
): ((entry: EdgeEntry) => boolean) => {
  if (filter === undefined) return matchAll
  const location = `${type}.${name}.where`
  const checkTarget = (target: NodeRecord): NodeRecord =>
    readGuard?.check(target, filter.targetFields, location, true) ?? target
  return entry => {
    try {
      return evaluateFilter(filter, entry, parameters, checkTarget)
    } catch (error) {
      reporter?.reportFilter(type, name, error)
      return false
    }
  }
}
