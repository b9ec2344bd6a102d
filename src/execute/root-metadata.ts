import { edgePathOf, nodeUrlOf } from '../format/node-urls.ts'
import type { Plan } from '../plan/plan.ts'
import { createNodeMetadata, type Metadata } from '../schema/metadata.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { QueryContext } from './query.ts'

/** Whether an expression selects `metadata` itself, without an alias. */
const selectsMetadata = ({ selection }: Plan, type: string): boolean =>
  selection.types.get(type)?.steps.some(step => step.kind === 'metadata' && step.key === 'metadata') === true

/** Creates the metadata of a root if the call has `metadata: true` and its expression does not select it. */
export const createRootMetadata = (
  context: QueryContext,
  plan: Plan,
  record: NodeRecord,
): Metadata | undefined => {
  const { engine, call } = context.query
  if (call.metadata !== true) return undefined
  const type = engine.registry.getType(record.type)
  if (type === undefined || selectsMetadata(plan, record.type)) return undefined
  const url = nodeUrlOf(context, record.id, type)
  const metadata = createNodeMetadata(
    engine.registry.ids.kind,
    record.type,
    type,
    engine.registry.resolveVersion(call.version),
    edge => url + edgePathOf(context, edge),
  )
  return { ...metadata, ...engine.actions?.metadataOf(record.type) }
}
