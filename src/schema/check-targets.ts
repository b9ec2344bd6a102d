import { describeUnknownName } from '../base/suggest.ts'
import { formatIssue } from '../base/usage-error.ts'
import { ROOT_TYPE } from './collection.ts'
import { getOwn, type NodeType } from './node.ts'
import type { Schema } from './schema.ts'

/** Returns the types with the given names. Skips unknown names, because another check reports them. */
export const findKnownTypes = (
  schema: Schema,
  names: readonly string[],
): readonly (readonly [string, NodeType])[] =>
  names.flatMap(name => {
    const type = getOwn(schema.types, name)
    return type === undefined ? [] : [[name, type] as const]
  })

/** Returns an error for each name that is not the name of a type whose nodes are stored. */
export const findTargetErrors = (
  schema: Schema,
  location: string,
  subject: string,
  targets: readonly string[],
): string[] => {
  const names = Object.keys(schema.types).filter(name => name !== ROOT_TYPE)
  return targets
    .filter(target => !names.includes(target))
    .map(target => formatIssue(location, subject, 'a type of the schema', describeUnknownName(target, names)))
}
