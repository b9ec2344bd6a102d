import type { StoreReadRequest, StoreReadResult, WantedFields } from '../store/contract.ts'
import { requestSizeOf } from '../store/requests.ts'
import { joinWantedFields } from '../store/wanted-fields.ts'

/** A step that a task waits for: a store read, or another promise. */
export type ReadStep = StoreReadRequest | { readonly until: PromiseLike<StoreReadResult> }

/**
 * A part of a query. It yields the steps that it waits for and continues with their results. The call's
 * `CallReader` reads the store for the task, and runs the task synchronously until a step returns a promise.
 */
export type ReadTask<TResult> = Generator<ReadStep, TResult, StoreReadResult>

/** The result of an empty request. */
export const EMPTY_READ_RESULT: StoreReadResult = Object.freeze({
  nodes: [],
  ranges: [],
  checks: [],
  tokens: [],
})

/** Waits for a promise and returns its value. */
export function* waitFor<TValue>(promise: PromiseLike<TValue>): ReadTask<TValue> {
  const values: TValue[] = []
  yield {
    until: promise.then(value => {
      values.push(value)
      return EMPTY_READ_RESULT
    }),
  }
  for (const value of values) return value
  throw new Error('A call continued before its promise was resolved')
}

/** The number of entries and keys that are processed between two pauses. */
const ITEMS_BETWEEN_PAUSES = 500

/**
 * An empty request. Long loops yield it repeatedly, so that other calls can run before the task continues.
 */
export const PAUSE_REQUEST: StoreReadRequest = Object.freeze({
  nodes: [],
  ranges: [],
  checks: [],
  tokens: [],
})

/** Visits all items of a list, and pauses regularly. */
export function* forEachWithPauses<TItem>(
  items: readonly TItem[],
  visit: (item: TItem, index: number) => void,
): ReadTask<void> {
  let index = 0
  for (const item of items) {
    if (index % ITEMS_BETWEEN_PAUSES === ITEMS_BETWEEN_PAUSES - 1) yield PAUSE_REQUEST
    visit(item, index)
    index++
  }
}

type ActiveTask = { readonly task: ReadTask<void>; readonly request: StoreReadRequest }

/**
 * Concatenates the keys of one kind (nodes, ranges, checks or tokens) of all requests. If only one request
 * has such keys, its list is not copied.
 */
const concatKeys = <TKey>(
  activeTasks: readonly ActiveTask[],
  selectKeys: (request: StoreReadRequest) => readonly TKey[],
): readonly TKey[] => {
  const lists = activeTasks.map(({ request }) => selectKeys(request)).filter(({ length }) => length > 0)
  const [onlyList = []] = lists
  return lists.length > 1 ? lists.flat() : onlyList
}

/** Joins what is read ahead of the nodes of all requests, by position. */
const joinNodesAhead = (activeTasks: readonly ActiveTask[]): StoreReadRequest['nodesAhead'] =>
  activeTasks.flatMap(({ request: { nodes, nodesAhead } }) => nodes.map((_, index) => nodesAhead?.[index]))

/** Returns the fields that at least one of the requests with nodes or ranges needs. */
const joinFields = (activeTasks: readonly ActiveTask[]): WantedFields | undefined => {
  let joined: WantedFields | undefined
  let isFirst = true
  for (const { request } of activeTasks) {
    if (request.nodes.length + request.ranges.length === 0) continue
    joined = isFirst ? request.fields : joinWantedFields(joined, request.fields)
    isFirst = false
  }
  return joined
}

const joinRequests = (activeTasks: readonly ActiveTask[]): StoreReadRequest => {
  const joined = {
    nodes: concatKeys(activeTasks, ({ nodes }) => nodes),
    ranges: concatKeys(activeTasks, ({ ranges }) => ranges),
    checks: concatKeys(activeTasks, ({ checks }) => checks),
    tokens: concatKeys(activeTasks, ({ tokens }) => tokens),
    fields: joinFields(activeTasks),
  }
  return activeTasks.some(({ request }) => request.nodesAhead !== undefined)
    ? { ...joined, nodesAhead: joinNodesAhead(activeTasks) }
    : joined
}

/**
 * Continues each task with its part of the result, in order, and returns the tasks that request another read.
 * A task that pauses continues before the next task starts, so the next requests of all tasks form one read.
 */
function* advanceTasks(
  activeTasks: readonly ActiveTask[],
  { nodes, ranges, checks, tokens }: StoreReadResult,
): ReadTask<ActiveTask[]> {
  const starts = { nodes: 0, ranges: 0, checks: 0, tokens: 0 }
  const stillActive: ActiveTask[] = []
  let itemCount = 0
  for (const { task, request } of activeTasks) {
    const ends = {
      nodes: starts.nodes + request.nodes.length,
      ranges: starts.ranges + request.ranges.length,
      checks: starts.checks + request.checks.length,
      tokens: starts.tokens + request.tokens.length,
    }
    const partOfResult = {
      nodes: nodes.slice(starts.nodes, ends.nodes),
      ranges: ranges.slice(starts.ranges, ends.ranges),
      checks: checks.slice(starts.checks, ends.checks),
      tokens: tokens.slice(starts.tokens, ends.tokens),
    }
    Object.assign(starts, ends)
    itemCount += requestSizeOf(request)
    if (itemCount > ITEMS_BETWEEN_PAUSES) {
      itemCount = 0
      yield PAUSE_REQUEST
    }
    const activeTask = yield* advanceToRequest(task, task.next(partOfResult))
    if (activeTask !== undefined) stillActive.push(activeTask)
  }
  return stillActive
}

/**
 * Runs a task up to its next request, including the pauses and promises before it. Returns `undefined` if the
 * task ends.
 */
function* advanceToRequest(
  task: ReadTask<void>,
  firstStep: IteratorResult<ReadStep, void>,
): ReadTask<ActiveTask | undefined> {
  let step = firstStep
  while (!step.done) {
    const { value } = step
    if (value !== PAUSE_REQUEST && !('until' in value)) return { task, request: value }
    step = task.next(yield value)
  }
  return undefined
}

/** Runs several tasks together: the requests of all tasks at one level form one store read. */
export function* runTogether(tasks: readonly ReadTask<void>[]): ReadTask<void> {
  const [first] = tasks
  if (first === undefined) return
  if (tasks.length === 1) return yield* first
  let activeTasks: ActiveTask[] = []
  for (const task of tasks) {
    const activeTask = yield* advanceToRequest(task, task.next())
    if (activeTask !== undefined) activeTasks.push(activeTask)
  }
  while (activeTasks.length > 0)
    activeTasks = yield* advanceTasks(activeTasks, yield joinRequests(activeTasks))
}

/** Runs several tasks together and returns their results. */
export function* runAll<TResult>(tasks: readonly ReadTask<TResult>[]): ReadTask<TResult[]> {
  const results: TResult[] = []
  yield* runTogether(tasks.map((task, index) => runAndStoreResult(task, index, results)))
  return results
}

function* runAndStoreResult<TResult>(
  task: ReadTask<TResult>,
  index: number,
  results: TResult[],
): ReadTask<void> {
  results[index] = yield* task
}
