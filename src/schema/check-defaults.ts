import { formatIssue } from '../base/usage-error.ts'
import type { Schema, Types } from './schema.ts'

const defaultRefTargetsOf = (types: Types, name: string): readonly string[] =>
  Object.hasOwn(types, name)
    ? Object.values(types[name]?.fields ?? {}).flatMap(field =>
        field.kind === 'ref' && field.default ? field.targets : [],
      )
    : []

/**
 * Returns errors for types whose default refs lead back to the same type, because their default selection
 * would be infinite.
 */
export const findDefaultRefErrors = ({ types }: Schema): readonly string[] =>
  Object.keys(types)
    .filter(name => {
      const reachedTypes = new Set(defaultRefTargetsOf(types, name))
      for (const reachedType of reachedTypes)
        for (const target of defaultRefTargetsOf(types, reachedType)) reachedTypes.add(target)
      return reachedTypes.has(name)
    })
    .map(name =>
      formatIssue(name, 'the default refs', 'free of cycles', `default refs that lead back to ${name}`),
    )
