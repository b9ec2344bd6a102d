import { describe } from '../base/describe.ts'
import { badParameter, type GraphError } from '../base/faults.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { FieldType } from '../schema/field-type.ts'
import { unknownField } from './unknown-field.ts'

/** Makes of an answered value what is asked of it; undefined leaves it out. */
type Pick = (value: unknown) => unknown

/** Told of each item inside of a value whether its name is there: one place may have what another lacks. */
export type Inside = {
  readonly found: (item: FieldItem) => void
  readonly missed: (item: FieldItem, fault: () => GraphError) => void
}

const whole: Pick = value => value

/** The fault for a list of fields where there is nothing inside. */
export const nothingInside = ({ name }: FieldItem): GraphError =>
  badParameter(name, 'no list of fields, since there is nothing inside', 'one')

const unknownMember = (
  { name }: FieldItem,
  of: FieldItem,
  { name: type }: FieldType,
  members: ReadonlyMap<string, unknown>,
): GraphError => unknownField({ name, where: `in ${of.name}`, type, known: members.keys() })

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type PickedMember = readonly [item: FieldItem, pick: Pick]

// What is kept with a plan is made apart from what was there while it was compiled, and would be kept as well.
const pickOf =
  (members: readonly PickedMember[]): Pick =>
  value => {
    if (!isObject(value)) return undefined
    const picked = members.flatMap(([{ name, key }, pick]) => {
      const member = Object.hasOwn(value, name) ? pick(value[name]) : undefined
      return member === undefined ? [] : [[key, member] as const]
    })
    return Object.fromEntries(picked)
  }

const pickMembers = (
  items: FieldExpression,
  inside: Inside,
  typeOf: (item: FieldItem) => FieldType | undefined,
): Pick => {
  const members = items.flatMap((item): PickedMember[] => {
    const foreign = item.modifiers.find(modifier => modifier.name !== 'as')
    if (foreign !== undefined)
      throw badParameter(foreign.name, `no modifier but as on ${item.name}`, describe(foreign.name))
    const type = typeOf(item)
    if (type === undefined) return []
    inside.found(item)
    return [[item, pickIn(type, item, inside)]]
  })
  return pickOf(members)
}

const pickEach =
  (pick: Pick): Pick =>
  value =>
    Array.isArray(value) ? value.map(pick).filter(one => one !== undefined) : undefined

const pickData =
  (pick: Pick): Pick =>
  value =>
    isObject(value) ? { data: pick(value.data) } : undefined

const pickAny = (pick: Pick): Pick => {
  const each = pickEach(pick)
  return value => (Array.isArray(value) ? each(value) : pick(value))
}

const pickIn = (type: FieldType, item: FieldItem, inside: Inside): Pick => {
  const { fields } = item
  const { parts } = type
  if (fields === undefined) return whole
  if (parts === undefined || 'words' in parts) throw nothingInside(item)
  if ('items' in parts) return pickEach(pickIn(parts.items, item, inside))
  if ('values' in parts) return pickMembers(fields, inside, () => parts.values)
  if ('data' in parts) return pickData(pickIn(parts.data, item, inside))
  if ('unknown' in parts) return pickAny(pickMembers(fields, inside, () => type))
  return pickMembers(fields, inside, inner => {
    const member = parts.members.get(inner.name)
    if (member === undefined) inside.missed(inner, () => unknownMember(inner, item, type, parts.members))
    return member?.type
  })
}

/**
 * A type of whose values only what an item names is answered: of an object its members, of a list those of each of its
 * values, of a picture those of its `data`. Of a type of the schema's author it is not known what is inside: what is not
 * there is left out.
 *
 * @throws GraphError `bad_parameter` for fields of what has nothing inside, and for modifiers of what is.
 */
export const pickedType = (type: FieldType, item: FieldItem, inside: Inside): FieldType => {
  const pick = pickIn(type, item, inside)
  return { ...type, plain: false, serialize: (stored, context) => pick(type.serialize(stored, context)) }
}
