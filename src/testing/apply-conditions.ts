import { isIdLike, type NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type {
  Condition,
  EdgeCheck,
  EdgeEntry,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  StoreReadRequest,
  StoreReadResult,
} from '../store/contract.ts'
import { checksRequest, rangesRequest } from '../store/requests.ts'

/** Executes a request of its own. */
type Read = (request: StoreReadRequest) => StoreReadResult

const findMember = (members: JsonObject, name: string) =>
  Object.hasOwn(members, name) ? members[name] : undefined

const matches = (data: JsonObject, where: JsonObject): boolean =>
  Object.entries(where).every(([name, expected]) => {
    const stored = findMember(data, name)
    return Array.isArray(expected) ? expected.some(one => one === stored) : expected === stored
  })

const findSubject = ({ id, fields }: NodeRecord, of: string | undefined): NodeId | undefined => {
  if (of === undefined) return id
  const target = findMember(fields, of)
  return isIdLike(id, target) ? target : undefined
}

/** Returns the check that a condition about an edge needs for a node. Without one, such a condition does not hold. */
export const checkOf = (condition: Condition, node: NodeRecord): EdgeCheck | undefined => {
  if (condition.kind !== 'edge') return undefined
  const subject = findSubject(node, condition.of)
  const { name, from = subject, to = subject } = condition
  if (subject === undefined || from === undefined || to === undefined) return undefined
  return { source: from, name, target: to, data: true }
}

/** Whether a condition holds for a node. `found` is the result of its check. */
export const holds = (
  condition: Condition,
  node: NodeRecord,
  found: boolean | EdgeRecord = false,
): boolean => {
  switch (condition.kind) {
    case 'field': {
      const stored = findMember(node.fields, condition.field)
      return condition.anyOf.some(one => one === stored)
    }
    case 'node':
      return findSubject(node, condition.of) === condition.id
    case 'edge':
      return typeof found === 'object' && matches(found.data ?? {}, condition.where ?? {})
  }
}

/** Returns a node with the index of the first condition that holds for it. */
export const withHeldCondition = (
  read: Read,
  conditions: readonly Condition[],
  node: NodeRecord,
): NodeRecord & { readonly heldCondition: number } => ({
  ...node,
  heldCondition: conditions.findIndex(condition => {
    const check = checkOf(condition, node)
    return holds(condition, node, check && read(checksRequest([check])).checks[0])
  }),
})

const countPassing = (read: Read, range: EdgeRange, passes: (entry: EdgeEntry) => boolean): number => {
  const whole = {
    ...range,
    from: undefined,
    minTime: undefined,
    maxTime: undefined,
    limit: 1e9,
    ahead: undefined,
  }
  return read(rangesRequest([whole], undefined)).ranges[0]?.entries.filter(passes).length ?? 0
}

/** Decides how many rows a store examines, and whether it counts under conditions. */
export type ConditionsBehaviour = {
  /** Returns the number of rows to examine: at least 1, and at most the given number. */
  readonly chooseExamined?: ((maxExamined: number) => number) | undefined
  readonly counts?: boolean | undefined
}

/** Reads a range by evaluating its conditions for each of its rows. */
const readConditionalRange = (
  read: Read,
  { conditions = [], maxExamined = 1e9, ...range }: EdgeRange,
  { chooseExamined, counts }: ConditionsBehaviour,
): RangeResult | undefined => {
  const limit = range.limit === 0 ? 0 : (chooseExamined?.(maxExamined) ?? maxExamined)
  const rows = read(rangesRequest([{ ...range, limit }], undefined)).ranges[0]
  if (rows === undefined) return undefined
  const evaluate = ({ node }: EdgeEntry) => withHeldCondition(read, conditions, node)
  const passes = (entry: EdgeEntry): boolean => evaluate(entry).heldCondition >= 0
  const entries: EdgeEntry[] = []
  let examined = 0
  for (const entry of rows.entries) {
    if (entries.length >= range.limit) break
    examined++
    const node = evaluate(entry)
    if (node.heldCondition >= 0) entries.push({ ...entry, node })
  }
  const last = rows.entries[examined - 1]
  const isCounted = counts === true && range.count && (rows.total ?? 0) <= maxExamined
  return {
    ...rows,
    entries,
    examined,
    hasMore: examined < rows.entries.length || rows.hasMore,
    lastExamined: last && {
      time: last.time,
      target: last.target,
      ...(last.key !== undefined && { key: last.key }),
    },
    ...(isCounted && { passing: countPassing(read, range, passes) }),
  }
}

/**
 * Executes a request with its conditions: each range with conditions is a read of its own, whose rows are evaluated
 * one by one. `readOnce` executes a request without conditions.
 */
export const readWithConditions = (
  readOnce: Read,
  request: StoreReadRequest,
  behaviour: ConditionsBehaviour = {},
): StoreReadResult => {
  if (request.ranges.every(({ conditions }) => conditions === undefined)) return readOnce(request)
  const plain = request.ranges.filter(({ conditions }) => conditions === undefined)
  const result = readOnce({ ...request, ranges: plain })
  const plainResults = result.ranges.values()
  const ranges = request.ranges.flatMap(range =>
    range.conditions === undefined
      ? (plainResults.next().value ?? [])
      : (readConditionalRange(readOnce, range, behaviour) ?? []),
  )
  return { ...result, ranges }
}
