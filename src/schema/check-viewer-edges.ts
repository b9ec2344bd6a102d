import { describeValue } from '../base/describe.ts'
import { describeUnknownName } from '../base/suggest.ts'
import { formatIssue } from '../base/usage-error.ts'
import { findConstantListMismatch } from './constant-lists.ts'
import type { ViewerEdgeField } from './field.ts'
import { getOwn, type NodeType } from './node.ts'

/** Returns the errors of a field about the edge of the viewer. */
export const findViewerEdgeErrors = (
  location: string,
  type: NodeType,
  { edge: name, field, parameters }: ViewerEdgeField,
): readonly string[] => {
  const edge = getOwn(type.edges, name)
  if (edge === undefined)
    return [formatIssue(location, '"edge"', 'an edge of the same type', describeValue(name))]
  const mismatch = findConstantListMismatch({ name, edge }, parameters)
  const errors = mismatch === undefined ? [] : [`${location}: ${mismatch}`]
  if (field !== undefined && !Object.hasOwn(edge.fields, field)) {
    const received = describeUnknownName(field, Object.keys(edge.fields))
    errors.push(formatIssue(location, '"field"', `a field of the edge ${name}`, received))
  }
  return errors
}
