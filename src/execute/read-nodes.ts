import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { type ReadTask, runAll, waitFor } from '../core/batching.ts'
import { groupByType, type SelectionRows } from '../core/selection-rows.ts'
import type { Formatter, ResultForms } from '../format/formatter.ts'
import type { Plan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import type { PendingChecks } from '../policy/edge-checks.ts'
import { collectChecksAhead } from '../read/ahead-results.ts'
import { hasPendingSteps, readPendingSteps, readSelection } from '../read/read-selection.ts'
import type { Metadata } from '../schema/metadata.ts'
import type { NodeRecord } from '../store/contract.ts'
import { EMPTY_REQUEST, nodesAheadRequest, nodesRequest } from '../store/requests.ts'
import { type EarlyRoot, validateRootEarly } from './early-root.ts'
import { createPlannedNodes, planRoot, planRootEarly } from './plan-roots.ts'
import type { FormattedRead, QueryContext } from './query.ts'
import { createRootMetadata } from './root-metadata.ts'
import {
  assertViewer,
  findRoots,
  matchesRequest,
  nodeNotFoundError,
  parseId,
  parseIds,
  type RootId,
  type RootNode,
  requireRoots,
  resolveId,
  resolveIds,
  rootNotFoundError,
  validateVisibleRoots,
} from './root-nodes.ts'
import { validateQuery } from './validate-query.ts'

/**
 * Creates a function that adds the checks of the fields and edges of a root, and of what was read ahead below it, so
 * that they are read together with the checks of the roots.
 */
const createStepCheckCollector =
  (context: QueryContext, parsedFields: ParsedFields, type: string | undefined) =>
  (root: RootNode, pendingChecks: PendingChecks): void => {
    const { record } = root
    const { types } = planRoot(context, parsedFields, root, type).selection
    const plan = types.get(record.type)
    if (plan === undefined) return
    for (const policy of plan.stepPolicies)
      context.policyEvaluator.collectChecks(policy, record, pendingChecks)
    collectChecksAhead(context, [plan], [record], pendingChecks)
  }

/** The validated options of a read of one node. */
type PreparedNode = {
  readonly id: RootId
  readonly parsedFields: ParsedFields
  /** The plan, if it is known before the node is read. */
  plan: Plan | undefined
  /** The validation before the node is read, if there was one. */
  earlyRoot: EarlyRoot | undefined
}

/** The validated options of a read of several nodes. */
type PreparedNodes = { readonly ids: readonly RootId[]; readonly parsedFields: ParsedFields }

/** Roots with the same plan. All of them have the same type. */
type NodeGroup = {
  readonly plan: Plan
  readonly type: string
  readonly ids: string[]
  readonly records: NodeRecord[]
}

/** The input of a read of a single node. */
type NodeLookup = { readonly id: string; readonly type: string | undefined }

/** A root and the rows that were read for it. */
type NodeRows = { readonly plan: Plan; readonly record: NodeRecord; readonly rows: SelectionRows }

function* formatLargeNode<TForms extends ResultForms>(
  { query }: QueryContext<NodeLookup>,
  rows: SelectionRows,
  metadata: Metadata | undefined,
  formatter: Formatter<TForms>,
): ReadTask<TForms['node']> {
  const node = yield* formatter.formatItemWithPauses(rows, 0, metadata)
  if (node === undefined) throw nodeNotFoundError(query.input.id)
  return node
}

/** The read of a single node. */
export const NODE_READ: FormattedRead<NodeLookup, PreparedNode, NodeRows, 'node'> = {
  form: 'node',
  prepare({ engine, call, input }) {
    const id = parseId(engine, 'id', input.id)
    engine.registry.resolveVersion(call.version)
    return { id, parsedFields: engine.planner.parse(call.fields), plan: undefined, earlyRoot: undefined }
  },
  *validateRoots(context, prepared) {
    const { engine, input } = context.query
    resolveId(engine, prepared.id, context)
    prepared.earlyRoot = yield* validateRootEarly(context, prepared.parsedFields, prepared.id, input.type)
  },
  rootRequest(query, prepared) {
    const { id, parsedFields, earlyRoot } = prepared
    if (!resolveId(query.engine, id, query.context)) return undefined
    if (id.rawId === undefined) return EMPTY_REQUEST
    prepared.plan = planRootEarly(query, parsedFields, query.input.id, query.input.type)
    return nodesAheadRequest([id.rawId], prepared.plan?.selection.wanted.fields, earlyRoot?.ahead)
  },
  *read(context, { id: rootId, parsedFields, plan: earlyPlan, earlyRoot }, { nodes }) {
    const { engine, input } = context.query
    const { id, type } = input
    const lateRoot =
      earlyRoot === undefined && type !== undefined
        ? yield* validateRootEarly(context, parsedFields, rootId, type)
        : earlyRoot
    const record = nodes[0]
    if (record === undefined || !matchesRequest(engine, id, type, record))
      throw rootNotFoundError(context, id)
    // The viewer's node may have been deleted and added with another type since the token was issued.
    const early = lateRoot?.type === record.type ? lateRoot.validation : undefined
    const root = { id, record }
    const plan = earlyPlan ?? planRoot(context, parsedFields, root, type)
    const validateRoot = () => {
      if (early?.isValid === false) throw early.error
      const roots = [createPlannedNodes(parsedFields, plan, record.type, 1)]
      return early === undefined ? validateQuery(context, roots, 0, plan) : plan
    }
    const validated = engine.registry.hasPolicy
      ? yield* validateVisibleRoots(context, [root], {
          collectChecks: createStepCheckCollector(context, parsedFields, type),
          validate([visibleRoot]) {
            if (visibleRoot === undefined) throw rootNotFoundError(context, id)
            return validateRoot()
          },
        })
      : validateRoot()
    if (isPromiseLike(validated)) yield* waitFor(validated)
    // These are the steps of `readSelection`, but without a task, because most reads of one node read nothing
    // below the node.
    const rows = groupByType(plan.selection, context.session.scopes, [record])
    if (hasPendingSteps(rows)) yield* readPendingSteps(context, rows)
    return { plan, record, rows }
  },
  format(context, { plan, record, rows }, formatter) {
    const metadata = createRootMetadata(context, plan, record)
    if (context.isLargeResult) return formatLargeNode(context, rows, metadata, formatter)
    const node = formatter.formatItem(rows, 0, metadata)
    if (node === undefined) throw nodeNotFoundError(context.query.input.id)
    return { result: node }
  },
}

/** Groups the roots by their plans. */
const groupRoots = (
  context: QueryContext,
  parsedFields: ParsedFields,
  roots: readonly RootNode[],
): NodeGroup[] => {
  const groups = new Map<string, NodeGroup>()
  for (const root of roots) {
    const { id, record } = root
    // The plan of `me` includes all viewer types, and the plan of another id only the type of its node. So
    // one type may have two plans.
    const key = `${id === 'me'} ${record.type}`
    const plan = planRoot(context, parsedFields, root, undefined)
    const group = groups.get(key) ?? { plan, type: record.type, ids: [], records: [] }
    groups.set(key, group)
    group.ids.push(id)
    group.records.push(record)
  }
  return [...groups.values()]
}

type NodeGroupRows = { readonly group: NodeGroup; readonly rows: SelectionRows }

/** The read of several nodes, by their distinct ids. */
export const NODES_READ: FormattedRead<
  readonly string[],
  PreparedNodes,
  readonly NodeGroupRows[],
  'nodesById'
> = {
  form: 'nodesById',
  prepare(query) {
    const { engine, call } = query
    const ids = parseIds(query, query.input, true)
    engine.registry.resolveVersion(call.version)
    return { ids, parsedFields: engine.planner.parse(call.fields) }
  },
  rootRequest({ engine, context }, { ids }) {
    if (context !== undefined) assertViewer(context, ids, true)
    const rawIds = resolveIds(engine, ids, context)
    return rawIds && nodesRequest(rawIds)
  },
  *read(context, { ids, parsedFields }, { nodes }) {
    const { engine } = context.query
    const foundRoots = findRoots(engine, ids, undefined, nodes)
    const validate = (visibleRoots: readonly (RootNode | undefined)[]): Awaitable<readonly NodeGroup[]> => {
      const roots = requireRoots(context, ids, true, visibleRoots)
      const nodeGroups = groupRoots(context, parsedFields, roots)
      const plannedRoots = nodeGroups.map(({ plan, type, records }) =>
        createPlannedNodes(parsedFields, plan, type, records.length),
      )
      return validateQuery(context, plannedRoots, ids.length - roots.length, nodeGroups)
    }
    const collectChecks = createStepCheckCollector(context, parsedFields, undefined)
    const validated = engine.registry.hasPolicy
      ? yield* validateVisibleRoots(context, foundRoots, { collectChecks, validate })
      : validate(foundRoots)
    const groups = isPromiseLike(validated) ? yield* waitFor(validated) : validated
    const rowsByGroup = yield* runAll(
      groups.map(({ plan, records }) => readSelection(context, plan.selection, records)),
    )
    return groups.flatMap((group, index) => {
      const rows = rowsByGroup[index]
      return rows === undefined ? [] : [{ group, rows }]
    })
  },
  *format<TForms extends ResultForms>(
    context: QueryContext<readonly string[]>,
    groups: readonly NodeGroupRows[],
    formatter: Formatter<TForms>,
  ) {
    const nodes = new Map<string, TForms['node']>()
    for (const { group, rows } of groups) {
      for (const [index, id] of group.ids.entries()) {
        const record = group.records[index]
        if (record === undefined) continue
        const metadata = createRootMetadata(context, group.plan, record)
        const node = context.isLargeResult
          ? yield* formatter.formatItemWithPauses(rows, index, metadata)
          : formatter.formatItem(rows, index, metadata)
        if (node !== undefined) nodes.set(id, node)
      }
    }
    return formatter.formatNodesById(nodes)
  },
}
