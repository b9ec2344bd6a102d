import type { FieldExpression } from '../fields/expression.ts'
import type { ValueField } from '../schema/field.ts'
import type { FieldType, MemberType } from '../schema/field-type.ts'

const LIST = 5
const COMPUTED = 1

const costOfMember = ({ type, weight }: MemberType, fields: FieldExpression | undefined): number =>
  weight ?? costOfType(type, fields)

const costOfMembers = (
  members: ReadonlyMap<string, MemberType>,
  fields: FieldExpression | undefined,
): number => {
  let cost = 0
  if (fields === undefined) for (const member of members.values()) cost += costOfMember(member, undefined)
  for (const { name, fields: inside } of fields ?? []) {
    const member = members.get(name)
    if (member !== undefined) cost += costOfMember(member, inside)
  }
  return cost
}

/** A list or a map costs the same whatever is selected inside it; an object costs the members that are selected. */
const costOfType = ({ parts }: FieldType, fields: FieldExpression | undefined): number => {
  if (parts === undefined) return 0
  if ('items' in parts || 'values' in parts) return LIST
  if ('data' in parts) return costOfType(parts.data, fields)
  return 'members' in parts ? costOfMembers(parts.members, fields) : 0
}

/** The cost of the value of a field in one record, of which `fields` selects what is inside; undefined selects all. */
export const costOfValue = (
  { type, weight, resolve }: Pick<ValueField, 'type' | 'weight' | 'resolve'>,
  fields: FieldExpression | undefined,
): number => weight ?? Math.max(resolve === undefined ? 0 : COMPUTED, costOfType(type, fields))
