import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { Plan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import { createNodeMetadata, type Metadata } from '../schema/metadata.ts'
import type { NodeRecord } from '../store/contract.ts'
import { EMPTY_REQUEST, nodesRequest } from '../store/requests.ts'
import { assertId } from './call.ts'
import { type Course, waitFor } from './course.ts'
import type { ExecutionContext } from './execution-context.ts'
import type { Formatter, FormatterConstructor } from './formatter.ts'
import { createPlannedNodes, groupRoots, type NodeGroup, planFields, planRoot } from './node-groups.ts'
import { type PreparedRead, unwrapOutcome } from './opening.ts'
import type { PendingChecks } from './policy-evaluator.ts'
import type { Query } from './query.ts'
import { hasPendingSteps, readPendingSteps, readSelection } from './read-selection.ts'
import { type ReadTask, runAll } from './read-task.ts'
import {
  findRoots,
  matchesRequest,
  needsSession,
  nodeNotFoundError,
  type RootNode,
  requireRoots,
  resolveRootIds,
  rootNotFoundError,
  validateVisibleRoots,
  validIds,
} from './root-nodes.ts'
import { groupByType, type SelectionRows } from './selection-rows.ts'
import { combineWithContext, type ValidatedGroups, validateEarly, validateQuery } from './validate-query.ts'

/** Whether an expression selects `metadata` itself, without an alias. */
const selectsMetadata = ({ selection }: Plan, type: string): boolean =>
  selection.types.get(type)?.steps.some(step => step.kind === 'metadata' && step.key === 'metadata') === true

const createRootMetadata = (
  query: Query,
  context: ExecutionContext,
  plan: Plan,
  record: NodeRecord,
): Metadata | undefined => {
  const { registry } = query.engine
  const type = registry.getType(record.type)
  if (query.call.metadata !== true || type === undefined || selectsMetadata(plan, record.type))
    return undefined
  const url = context.nodeUrlOf(record.id, type)
  return createNodeMetadata(
    record.type,
    type,
    registry.resolveVersion(query.call.version),
    edge => url + context.edgePathOf(edge),
  )
}

/**
 * Creates a function that adds the checks of the fields and edges of a root, so that they are read with those
 * of the roots.
 */
const createStepCheckCollector =
  (query: Query, parsedFields: ParsedFields, type: string | undefined) =>
  (root: RootNode, pendingChecks: PendingChecks): void => {
    const { record } = root
    const { types } = planRoot(query, parsedFields, root, type).selection
    for (const policy of types.get(record.type)?.stepPolicies ?? [])
      query.policyEvaluator.collectChecks(policy, record, pendingChecks)
  }

const validateNode = (
  query: Query,
  parsedFields: ParsedFields,
  plan: Plan,
  type: string,
): Awaitable<ExecutionContext> => validateQuery(query, [createPlannedNodes(parsedFields, plan, type, 1)])

/** Validates a call of a single node if the viewer may see the node. */
const validateVisibleNode = (
  query: Query,
  root: RootNode,
  collectChecks: ReturnType<typeof createStepCheckCollector>,
  validateRoot: () => Awaitable<ExecutionContext>,
): Course<ExecutionContext> =>
  validateVisibleRoots(query, [root], {
    collectChecks,
    validate([visibleRoot]) {
      if (visibleRoot === undefined) throw rootNotFoundError(query, root.id)
      return validateRoot()
    },
  })

/** The input of a read of a single node. */
export type NodeLookup = { readonly id: string; readonly type: string | undefined }

const prepareNode = (query: Query, id: string): PreparedRead<ParsedFields> => {
  const { engine, call } = query
  assertId('id', id, engine.appIds !== undefined)
  engine.registry.resolveVersion(call.version)
  const parsedFields = engine.planner.parse(call.fields)
  const rawId = query.resolveId(id)
  return { prepared: parsedFields, request: rawId === undefined ? EMPTY_REQUEST : nodesRequest([rawId]) }
}

/** Reads a single node and returns it as the formatter formats it. */
export function* readNode<TNode>(
  query: Query,
  { id, type }: NodeLookup,
  FormatterClass: FormatterConstructor<TNode, unknown>,
): Course<TNode> {
  const { engine } = query
  const { prepared: parsedFields, result } = yield* query.open({
    prepare: () => prepareNode(query, id),
    needsSession: needsSession(id),
  })
  const earlyOutcome =
    type === undefined
      ? undefined
      : yield* validateEarly(() =>
          validateNode(query, parsedFields, planFields(query, parsedFields, [type]), type),
        )
  const record = result.nodes[0]
  if (record === undefined || !matchesRequest(query, id, type, record)) throw rootNotFoundError(query, id)
  const root = { id, record }
  const plan = planRoot(query, parsedFields, root, type)
  const validateRoot = () =>
    earlyOutcome === undefined
      ? validateNode(query, parsedFields, plan, record.type)
      : unwrapOutcome(earlyOutcome)
  const validated = engine.registry.hasPolicy
    ? yield* validateVisibleNode(
        query,
        root,
        createStepCheckCollector(query, parsedFields, type),
        validateRoot,
      )
    : validateRoot()
  const context = isPromiseLike(validated) ? yield* waitFor(validated) : validated
  // As `readSelection` does, without a task of its own: most calls of one node read nothing below it.
  const rows = groupByType(plan.selection, [root.record])
  if (hasPendingSteps(rows)) yield* readPendingSteps(context, rows)
  const pendingFields = context.waitForComputedFields()
  if (pendingFields !== undefined) yield* waitFor(pendingFields)
  const formatter = new FormatterClass(context)
  const metadata = createRootMetadata(query, context, plan, root.record)
  const node = context.isLargeResult
    ? yield* formatter.formatItemWithPauses(rows, 0, metadata)
    : formatter.formatItem(rows, 0, metadata)
  if (node === undefined) throw nodeNotFoundError(id)
  return node
}

/** Reads several nodes. Returns the formatted nodes by the requested ids. */
export function* readNodes<TNode>(
  query: Query,
  requestedIds: readonly string[],
  FormatterClass: FormatterConstructor<TNode, unknown>,
): Course<Map<string, TNode>> {
  const { engine, call } = query
  const {
    prepared: { ids, fields },
    result,
  } = yield* query.open({
    prepare() {
      const ids = validIds(query, requestedIds, true)
      engine.registry.resolveVersion(call.version)
      const fields = engine.planner.parse(call.fields)
      return { prepared: { ids, fields }, request: nodesRequest(resolveRootIds(query, ids, true)) }
    },
    needsSession: requestedIds.some(needsSession),
  })
  const foundRoots = findRoots(query, ids, undefined, result.nodes)
  const validateRoots = (
    visibleRoots: readonly (RootNode | undefined)[],
  ): Awaitable<ValidatedGroups<NodeGroup>> => {
    const roots = requireRoots(query, ids, true, visibleRoots)
    const nodeGroups = groupRoots(query, fields, roots)
    const plannedRoots = nodeGroups.map(({ plan, type, records }) =>
      createPlannedNodes(fields, plan, type, records.length),
    )
    return combineWithContext(nodeGroups, validateQuery(query, plannedRoots, ids.length - roots.length))
  }
  const collectChecks = createStepCheckCollector(query, fields, undefined)
  const validated = engine.registry.hasPolicy
    ? yield* validateVisibleRoots(query, foundRoots, { collectChecks, validate: validateRoots })
    : validateRoots(foundRoots)
  const { groups, context } = isPromiseLike(validated) ? yield* waitFor(validated) : validated
  const rowsByGroup = yield* runAll(
    groups.map(({ plan, records }) => readSelection(context, plan.selection, records)),
  )
  const pendingFields = context.waitForComputedFields()
  if (pendingFields !== undefined) yield* waitFor(pendingFields)
  return yield* formatNodeGroups(
    { query, context, formatter: new FormatterClass(context) },
    groups,
    rowsByGroup,
  )
}

type FormattingInput<TNode> = {
  readonly query: Query
  readonly context: ExecutionContext
  readonly formatter: Formatter<TNode, unknown>
}

function* formatNodeGroups<TNode>(
  { query, context, formatter }: FormattingInput<TNode>,
  groups: readonly NodeGroup[],
  rowsByGroup: readonly SelectionRows[],
): ReadTask<Map<string, TNode>> {
  const results = new Map<string, TNode>()
  for (const [groupIndex, { plan, ids, records }] of groups.entries()) {
    const rows = rowsByGroup[groupIndex]
    for (const [index, id] of ids.entries()) {
      const record = records[index]
      if (rows === undefined || record === undefined) continue
      const metadata = createRootMetadata(query, context, plan, record)
      const result = context.isLargeResult
        ? yield* formatter.formatItemWithPauses(rows, index, metadata)
        : formatter.formatItem(rows, index, metadata)
      if (result !== undefined) results.set(id, result)
    }
  }
  return results
}
