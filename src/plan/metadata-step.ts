import type { FieldItem } from '../fields/expression.ts'
import { createFieldsMetadata, metadataType } from '../schema/metadata.ts'
import type { NodeType } from '../schema/node.ts'
import { rejectModifier } from './field-step.ts'
import type { MetadataStep } from './plan.ts'
import { createResultMember } from './result-member.ts'
import { createSelectedType, type NameReporter } from './selected-type.ts'
import { computeValueCost } from './value-cost.ts'

const METADATA_MEMBERS = ['fields', 'type', 'connections'] as const

/**
 * Creates the step for the metadata of a node, or for the part that an item selects.
 *
 * @throws GraphError `invalid_parameter` for a modifier other than `as`.
 */
export const createMetadataStep = (
  item: FieldItem,
  declaredType: { readonly type: string; readonly nodeType: NodeType; readonly version: string },
  reporter: NameReporter,
): MetadataStep => {
  const unsupportedModifier = item.modifiers.find(modifier => modifier.name !== 'as')
  if (unsupportedModifier !== undefined) return rejectModifier(unsupportedModifier, item, [])
  const { key, firstPrefix, laterPrefix } = createResultMember(item.key)
  const type = item.fields === undefined ? metadataType : createSelectedType(metadataType, item, reporter)
  const selected = new Set(item.fields?.map(({ name }) => name) ?? METADATA_MEMBERS)
  return {
    kind: 'metadata',
    key,
    firstPrefix,
    laterPrefix,
    type,
    nodeType: declaredType.nodeType,
    typeName: declaredType.type,
    fields: selected.has('fields')
      ? createFieldsMetadata(declaredType.nodeType, declaredType.version)
      : undefined,
    hasConnections: selected.has('connections'),
    scope: undefined,
    policyIndex: undefined,
    cost: computeValueCost({ type: metadataType, weight: undefined, resolve: undefined }, item.fields),
  }
}
