import { constantListOf } from '../schema/constant-lists.ts'
import type { ViewerEdgeField } from '../schema/field.ts'
import { getOwn } from '../schema/node.ts'
import { viewerEdgeFieldOf } from '../schema/shown-fields.ts'
import { datetimeType } from '../schema/time-types.ts'
import type { ViewerEdgeStep } from './plan.ts'
import type { TypePlanBuilder } from './type-plan.ts'

const NO_PARAMETERS = Object.freeze({})

/** Returns the stored list of the viewer's edge, and the field of the edge that is read. */
export const createViewerEdgeTarget = (
  field: ViewerEdgeField,
  builder: TypePlanBuilder,
): Pick<ViewerEdgeStep, 'edge' | 'list' | 'value'> => {
  const { edge: name, parameters } = field
  const { nodeType } = builder.parentType
  const edge = nodeType && getOwn(nodeType.edges, name)
  if (nodeType === undefined || edge === undefined) return { edge: name, list: name, value: undefined }
  const edgeField = viewerEdgeFieldOf(nodeType, field)
  return {
    edge: name,
    list: constantListOf({ name, edge }, parameters),
    value: edgeField && {
      field: edgeField.kind === 'value' ? field.field : undefined,
      type: edgeField.kind === 'value' ? edgeField.type : datetimeType,
      parameters: NO_PARAMETERS,
      scopes: [...new Set([edge.scope, edgeField.scope])].filter(scope => scope !== undefined),
      policyIndex: builder.addPolicy(edge.policy),
    },
  }
}
