import { describeValue } from '../base/describe.ts'
import { describeUnknownName } from '../base/suggest.ts'
import { formatIssue } from '../base/usage-error.ts'
import { getOwn, type NodeType } from './node.ts'
import type { Policy, Rule, RuleReference } from './policy.ts'
import type { Schema } from './schema.ts'
import { isStoredField } from './stored-field.ts'

/** Returns an error for each name that is no stored field of the type. */
const findNameErrors = (
  location: string,
  { fields }: NodeType,
  reads: readonly string[] | undefined = [],
): string[] => {
  const storedNames = Object.keys(fields).filter(name => isStoredName(fields, name))
  return reads
    .filter(read => !isStoredName(fields, read))
    .map(read => {
      const received = describeUnknownName(read, storedNames)
      return formatIssue(location, '"reads"', 'stored fields of the type', received)
    })
}

const isStoredName = (fields: NodeType['fields'], name: string): boolean => {
  const field = getOwn(fields, name)
  return field !== undefined && isStoredField(field)
}

/** Returns the field of the record that a built-in rule reads. */
const fieldOfReference = (reference: RuleReference): string | undefined => {
  if (reference.kind === 'value') return reference.field
  return reference.kind === 'visibleNode' ? reference.ref : reference.subjectField
}

/** Returns the errors of the fields that a rule reads. Another check reports those of built-in rules. */
const findRuleErrors = (location: string, type: NodeType, rule: Rule): string[] => {
  const referred = new Set(rule['~refers']?.map(fieldOfReference))
  const reads = rule.reads?.filter(name => !referred.has(name))
  return findNameErrors(`${location}: ${rule.name}`, type, reads)
}

const findPolicyErrors = (location: string, type: NodeType, policy: Policy | undefined): string[] =>
  (policy ?? []).flatMap(rule => findRuleErrors(location, type, rule))

const findTypeErrors = (typeName: string, type: NodeType): string[] => [
  ...findPolicyErrors(typeName, type, type.policy),
  ...Object.entries(type.fields).flatMap(([name, field]) => {
    const location = `${typeName}.${name}`
    const errors = findPolicyErrors(location, type, field.policy)
    if (field.kind !== 'value' || field.reads === undefined) return errors
    if (field.resolve === undefined) {
      const received = describeValue(field.reads)
      return [...errors, formatIssue(location, '"reads"', 'left out of a field without "resolve"', received)]
    }
    return [...errors, ...findNameErrors(location, type, field.reads)]
  }),
  ...Object.entries(type.edges).flatMap(([name, { policy, resolve, reads }]) => [
    ...findPolicyErrors(`${typeName}.${name}`, type, policy),
    ...(resolve === undefined ? [] : findNameErrors(`${typeName}.${name}`, type, reads)),
  ]),
]

/**
 * Returns the errors of the fields that rules, computed fields and computed edges declare in `reads`. A rule is
 * checked on every type whose policies contain it.
 */
export const findReadErrors = (schema: Schema): readonly string[] =>
  Object.entries(schema.types).flatMap(([name, type]) => findTypeErrors(name, type))
