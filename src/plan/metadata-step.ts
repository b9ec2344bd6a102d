import type { FieldItem } from '../fields/expression.ts'
import { fieldsMetadata, metadataType } from '../schema/metadata.ts'
import type { NodeType } from '../schema/node.ts'
import { refuseModifier } from './field-step.ts'
import { memberOf } from './member.ts'
import { type Inside, pickedType } from './picked-type.ts'
import type { MetadataStep } from './plan.ts'
import { costOfValue } from './value-cost.ts'

const MEMBERS = ['fields', 'type', 'connections'] as const

/**
 * The step for the description of a node, or for what an item selects of it.
 *
 * @throws GraphError `bad_parameter` for a modifier other than `as`.
 */
export const metadataStep = (
  item: FieldItem,
  of: { readonly type: string; readonly declared: NodeType; readonly version: string },
  inside: Inside,
): MetadataStep => {
  const foreign = item.modifiers.find(modifier => modifier.name !== 'as')
  if (foreign !== undefined) return refuseModifier(foreign, item, [])
  const { key, first, later } = memberOf(item.key)
  const type = item.fields === undefined ? metadataType : pickedType(metadataType, item, inside)
  const wanted = new Set(item.fields?.map(({ name }) => name) ?? MEMBERS)
  return {
    kind: 'metadata',
    key,
    first,
    later,
    type,
    described: of.declared,
    typeName: of.type,
    fields: wanted.has('fields') ? fieldsMetadata(of.declared, of.version) : undefined,
    connections: wanted.has('connections'),
    scope: undefined,
    guard: undefined,
    cost: costOfValue({ type: metadataType, weight: undefined, resolve: undefined }, item.fields),
  }
}
