import type { FieldExpression } from '../fields/expression.ts'
import type { ValueField } from '../schema/field.ts'
import type { FieldType, MemberType } from '../schema/field-type.ts'

const COLLECTION_COST = 5
const COMPUTED_COST = 1

const computeMemberCost = ({ type, weight }: MemberType, fields: FieldExpression | undefined): number =>
  weight ?? computeTypeCost(type, fields)

const computeMembersCost = (
  members: ReadonlyMap<string, MemberType>,
  fields: FieldExpression | undefined,
): number => {
  let cost = 0
  if (fields === undefined)
    for (const member of members.values()) cost += computeMemberCost(member, undefined)
  for (const { name, fields: innerFields } of fields ?? []) {
    const member = members.get(name)
    if (member !== undefined) cost += computeMemberCost(member, innerFields)
  }
  return cost
}

/**
 * Computes the cost of a value. A list or a map costs the same whatever is selected; an object costs the
 * selected members.
 */
const computeTypeCost = ({ parts }: FieldType, fields: FieldExpression | undefined): number => {
  if (parts === undefined) return 0
  if ('items' in parts || 'values' in parts) return COLLECTION_COST
  if ('data' in parts) return computeTypeCost(parts.data, fields)
  return 'members' in parts ? computeMembersCost(parts.members, fields) : 0
}

/**
 * Computes the cost of a field's value in one record. `fields` selects its members; undefined selects all.
 */
export const computeValueCost = (
  { type, weight, resolve }: Pick<ValueField, 'type' | 'weight' | 'resolve'>,
  fields: FieldExpression | undefined,
): number => weight ?? Math.max(resolve === undefined ? 0 : COMPUTED_COST, computeTypeCost(type, fields))
