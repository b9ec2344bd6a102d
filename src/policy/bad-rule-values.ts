import { isIdOfKind, type NodeId } from '../base/ids.ts'
import { type EdgeReference, type Rule, type RuleReference, subjectOf } from '../schema/policy.ts'
import type { Registry } from '../schema/registry.ts'
import type { EdgeRecord, NodeRecord } from '../store/contract.ts'

/**
 * Whether a stored value is valid for its field. A field that the schema does not declare has no valid
 * values.
 */
const isValidValue = (registry: Registry, type: string, name: string, stored: unknown): boolean => {
  const field = registry.getField(type, name)
  if (field?.kind === 'value') return field.type.isValid(stored)
  return field?.kind === 'ref' && isIdOfKind(registry.ids.kind, stored)
}

const hasBadValue = (registry: Registry, { type, fields }: NodeRecord, reference: RuleReference): boolean => {
  // For `canSee`, a value that is not an id is no ref.
  if (reference.kind === 'visibleNode') return false
  const name = reference.kind === 'value' ? reference.field : reference.subjectField
  if (name === undefined) return false
  const stored = fields[name]
  if (stored === undefined || stored === null) return false
  // `defineSchema` has checked that the value of the rule is valid for the field.
  if (reference.kind === 'value')
    return stored !== reference.value && !isValidValue(registry, type, name, stored)
  return !isIdOfKind(registry.ids.kind, stored)
}

/**
 * Whether a built-in rule, alone or inside a composed rule, reads a field with a bad value. Such a rule
 * denies, because otherwise `not(fieldEquals('private', true))` would allow a record whose `private` is
 * `'true'`.
 */
export const readsBadValue = (registry: Registry, rule: Rule, record: NodeRecord): boolean => {
  const references = rule['~refers']
  if (references === undefined) return false
  for (const reference of references) if (hasBadValue(registry, record, reference)) return true
  return false
}

/**
 * Whether an edge that was found for a composed rule is the one that the reference is about. The other rules inside
 * may be about edges with the same name in the other direction, or of another type, whose fields may differ.
 */
const isEdgeOf = (
  { kind, subjectField }: EdgeReference,
  record: NodeRecord,
  viewer: NodeId | undefined,
  { source, target }: EdgeRecord,
): boolean => {
  const subject = subjectOf(record, subjectField)
  return kind === 'edgeOfViewer'
    ? source === viewer && target === subject
    : source === subject && target === viewer
}

/**
 * Whether an edge that was found for a built-in rule has a bad value in a field that the rule tests. Such a rule
 * denies, for the same reason as a rule that reads a field with a bad value.
 */
export const findsBadValue = (
  { ruleEdges }: Registry,
  rule: Rule,
  record: NodeRecord,
  viewer: NodeId | undefined,
  found: readonly (boolean | EdgeRecord)[],
): boolean => {
  for (const edge of found) {
    if (typeof edge === 'boolean') continue
    for (const reference of rule['~refers'] ?? [])
      if (
        'edge' in reference &&
        isEdgeOf(reference, record, viewer, edge) &&
        ruleEdges.hasBadValue(reference, record.type, edge)
      )
        return true
  }
  return false
}
