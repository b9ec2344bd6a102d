import { isNodeId } from '../base/ids.ts'
import type { Rule, RuleReference } from '../schema/policy.ts'
import type { Registry } from '../schema/registry.ts'
import type { NodeRecord } from '../store/contract.ts'

/** Whether a stored value is one that the field can have. What no schema declares has no valid value. */
const isValidOf = (registry: Registry, type: string, name: string, stored: unknown): boolean => {
  const field = registry.field(type, name)
  if (field?.kind === 'value') return field.type.isValid(stored)
  return field?.kind === 'ref' && isNodeId(stored)
}

const isBad = (registry: Registry, { type, fields }: NodeRecord, reference: RuleReference): boolean => {
  const name = reference.kind === 'value' ? reference.field : reference.of
  if (name === undefined) return false
  const stored = fields[name]
  if (stored === undefined || stored === null) return false
  // The schema has checked that the value of the rule is one that the field can have.
  if (reference.kind === 'value')
    return stored !== reference.value && !isValidOf(registry, type, name, stored)
  return !isNodeId(stored)
}

/**
 * Whether a field that a ready-made rule reads has a bad value, also one that a composition of rules holds. Then the rule
 * can say nothing of the record: without this, `not(fieldEquals('private', true))` would open one with a private of `'true'`.
 */
export const readsBadValue = (registry: Registry, rule: Rule, record: NodeRecord): boolean => {
  const references = rule['~refers']
  if (references === undefined) return false
  for (const reference of references) if (isBad(registry, record, reference)) return true
  return false
}
