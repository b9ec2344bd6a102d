import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import { textAt } from '../response/json.ts'
import type { FieldIssues } from './read-drafts.ts'

const toMessage = (issue: JsonValue): string => {
  const [expected, received] = [textAt(issue, 'expected'), textAt(issue, 'received')]
  if (expected === undefined) return textAt(issue, 'message') ?? 'must be valid'
  return received === undefined ? `must be ${expected}` : `must be ${expected}; received ${received}`
}

/** Returns the path of the value that shows an issue: its own path, or the nearest path around it. */
const findFieldPath = (path: string, fieldPaths: readonly string[]): string | undefined => {
  if (path === '' || fieldPaths.includes(path)) return path || undefined
  return findFieldPath(path.replace(/(?:^|\.)[^.[]*$|\[[^[]*$/, ''), fieldPaths)
}

/**
 * Returns the issues that an error of the graph reports about the values of a form, at the paths of the form. The
 * message of the error itself reports an issue about no value of the form.
 */
export const findServerIssues = (body: JsonValue | undefined, fieldPaths: readonly string[]): FieldIssues => {
  const error = isNonArrayObject(body) ? body.error : undefined
  const data = isNonArrayObject(error) && isNonArrayObject(error.error_data) ? error.error_data : {}
  const parameters: JsonValue = data.parameters ?? []
  const issues = Array.isArray(parameters) ? parameters : []
  return new Map(
    issues.flatMap((issue: JsonValue) => {
      const path = findFieldPath(textAt(issue, 'parameter') ?? '', fieldPaths)
      return path === undefined ? [] : [[path, toMessage(issue)] as const]
    }),
  )
}
