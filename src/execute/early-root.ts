import type { NodeId } from '../base/ids.ts'
import type { ReadTask } from '../core/batching.ts'
import type { Plan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import { chooseReadAheadOfRoot } from '../read/read-ahead.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import type { ReadAhead } from '../store/contract.ts'
import { ROOT_ID } from '../store/derived-entries.ts'
import { createPlannedNodes, planFields } from './plan-roots.ts'
import type { QueryContext } from './query.ts'
import type { RootId } from './root-nodes.ts'
import { type EarlyValidation, validateEarly } from './validate-query.ts'

/** The validation of a single root before its node is read. */
export type EarlyRoot = {
  /** The type that the validation is for. */
  readonly type: string
  readonly validation: EarlyValidation
  /** What may be read ahead below the root. */
  readonly ahead: ReadAhead | undefined
}

/** Returns the type of the viewer's node if it is known before the node is read. */
const findViewerType = ({ query, viewerType, ids }: QueryContext, viewer: NodeId): string | undefined => {
  const { viewers } = query.engine.registry.schema
  const type = viewers.length === 1 ? viewers[0] : (viewerType ?? ids.typeOf(viewer))
  return type !== undefined && viewers.includes(type) ? type : undefined
}

/** Returns the type of a root if it is known before the root is read. The id of the root is resolved. */
export const findRootType = (
  context: QueryContext,
  { requestedId, rawId }: RootId,
  requestedType: string | undefined,
): string | undefined => {
  if (requestedType !== undefined || rawId === undefined) return requestedType
  if (rawId === ROOT_ID) return ROOT_TYPE
  return requestedId === 'me' ? findViewerType(context, rawId) : context.ids.typeOf(rawId)
}

/**
 * Validates and charges a call with one root before its node is read, so that the same read may include the
 * levels below the root. Nothing is read ahead for a call that fails or exceeds a limit. Returns `undefined` if
 * the type of the root is not known.
 */
export function* validateRootEarly(
  context: QueryContext,
  parsedFields: ParsedFields,
  id: RootId,
  requestedType: string | undefined,
): ReadTask<EarlyRoot | undefined> {
  const type = findRootType(context, id, requestedType)
  if (type === undefined) return undefined
  const isAnyViewer = id.requestedId === 'me' && requestedType === undefined
  const { viewers } = context.query.engine.registry.schema
  const plans: Plan[] = []
  const validation = yield* validateEarly(context, () => {
    const plan = planFields(context, parsedFields, isAnyViewer ? viewers : [type])
    plans.push(plan)
    return createPlannedNodes(parsedFields, plan, type, 1)
  })
  const [plan] = plans
  const ahead = validation.isValid && plan ? chooseReadAheadOfRoot(context, plan.selection, type) : undefined
  return { type, validation, ahead }
}
