import { describeValue } from '../base/describe.ts'
import type { OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { COMMON_FIELD_OPTION_KINDS, type FieldOptions, toCommonField, type ViewerEdgeField } from './field.ts'
import type { ConstantParameters } from './parameter.ts'

/** The options of a field about the edge of the viewer. */
export type ViewerEdgeOptions = FieldOptions & {
  /** The name of a stored field of the edge, or of its time. Default: the field is whether the edge exists. */
  readonly field?: string | undefined
  /** The values of the parameters that choose the stored list of the edge. Default: their defaults. */
  readonly parameters?: ConstantParameters | undefined
}

const VIEWER_EDGE_OPTION_KINDS = {
  ...COMMON_FIELD_OPTION_KINDS,
  field: 'text',
  parameters: 'object',
} as const satisfies OptionKinds

/** Creates a field about the edge of the viewer. */
export const createViewerEdge = (edge: string, options: ViewerEdgeOptions | undefined): ViewerEdgeField => {
  if (typeof edge !== 'string') throw usageError('field.viewerEdge', 'edge', 'a string', describeValue(edge))
  const common = toCommonField('field.viewerEdge', options, VIEWER_EDGE_OPTION_KINDS)
  const parameters = options?.parameters && Object.freeze({ ...options.parameters })
  return Object.freeze({ kind: 'viewerEdge', ...common, edge, field: options?.field, parameters })
}
