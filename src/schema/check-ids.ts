import { describeValue } from '../base/describe.ts'
import { isPrefix, PREFIX_EXPECTED } from '../base/named-ids.ts'
import { formatIssue } from '../base/usage-error.ts'
import { ROOT_TYPE } from './collection.ts'
import { idPrefixOf } from './id-prefixes.ts'
import { getOwn, type NodeType } from './node.ts'
import type { Schema } from './schema.ts'

const findPrefixErrors = ({ types }: Schema, name: string, { idPrefix }: NodeType): string[] => {
  const prefix = idPrefixOf(types, name)
  // The type of collections has one node, whose id has no prefix.
  if (!isPrefix(prefix))
    return idPrefix === undefined
      ? [formatIssue(name, 'the name', `${PREFIX_EXPECTED}, since ids contain it`, describeValue(name))]
      : [formatIssue(name, '"idPrefix"', PREFIX_EXPECTED, describeValue(idPrefix))]
  if (idPrefix === undefined || idPrefix === name) return []
  if (getOwn(types, idPrefix) !== undefined)
    return [
      formatIssue(name, '"idPrefix"', 'different from the names of other types', describeValue(idPrefix)),
    ]
  const other = Object.keys(types).find(type => type !== name && types[type]?.idPrefix === idPrefix)
  return other === undefined
    ? []
    : [formatIssue(name, '"idPrefix"', 'different from those of all other types', `the prefix of ${other}`)]
}

/** Returns the errors of the prefixes of named ids. Two types with one prefix have an error each. */
export const findIdErrors = (schema: Schema): string[] =>
  Object.entries(schema.types)
    .filter(([name]) => name !== ROOT_TYPE)
    .flatMap(([name, type]) => {
      if (schema.ids === 'named') return findPrefixErrors(schema, name, type)
      return type.idPrefix === undefined
        ? []
        : [
            formatIssue(
              name,
              '"idPrefix"',
              'left out of a schema whose ids are digits',
              describeValue(type.idPrefix),
            ),
          ]
    })
