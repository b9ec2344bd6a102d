import { describeValue } from '../base/describe.ts'
import { type GraphError, invalidParameterError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { FieldType } from '../schema/field-type.ts'
import { fieldNotFoundError } from './not-found-errors.ts'

/** Returns the selected part of a serialized value, or `undefined` if it is left out. */
type ValuePicker = (value: unknown) => unknown

/**
 * Receives, for each item inside a value, whether the name of the item exists. A name may exist in one type
 * and be missing in another.
 */
export type NameReporter = {
  readonly onFound: (item: FieldItem) => void
  readonly onMissing: (item: FieldItem, createError: () => GraphError) => void
}

const pickWholeValue: ValuePicker = value => value

/** Creates the error for fields inside a value that has no fields. */
export const noFieldsInsideError = ({ name }: FieldItem): GraphError =>
  invalidParameterError(name, 'used without fields, since its value has no fields', 'fields')

const memberNotFoundError = (
  { name }: FieldItem,
  parentItem: FieldItem,
  { name: type }: FieldType,
  members: ReadonlyMap<string, unknown>,
): GraphError =>
  fieldNotFoundError({ name, location: `in ${parentItem.name}`, type, knownNames: members.keys() })

type SelectedMember = readonly [item: FieldItem, pick: ValuePicker]

// The closures that a plan keeps are created in separate functions, so that they do not keep the compiler in
// memory.
const createObjectPicker =
  (members: readonly SelectedMember[]): ValuePicker =>
  value => {
    if (!isNonArrayObject(value)) return undefined
    const pickedMembers = members.flatMap(([{ name, key }, pick]) => {
      const member = Object.hasOwn(value, name) ? pick(value[name]) : undefined
      return member === undefined ? [] : [[key, member] as const]
    })
    return Object.fromEntries(pickedMembers)
  }

const createMembersPicker = (
  items: FieldExpression,
  reporter: NameReporter,
  typeOf: (item: FieldItem) => FieldType | undefined,
): ValuePicker => {
  const members = items.flatMap((item): SelectedMember[] => {
    const unsupportedModifier = item.modifiers.find(modifier => modifier.name !== 'as')
    if (unsupportedModifier !== undefined)
      throw invalidParameterError(
        unsupportedModifier.name,
        `"as", the only modifier of ${item.name}`,
        describeValue(unsupportedModifier.name),
      )
    const type = typeOf(item)
    if (type === undefined) return []
    reporter.onFound(item)
    return [[item, createPicker(type, item, reporter)]]
  })
  return createObjectPicker(members)
}

const createListPicker =
  (pick: ValuePicker): ValuePicker =>
  value =>
    Array.isArray(value) ? value.map(pick).filter(item => item !== undefined) : undefined

const createDataPicker =
  (pick: ValuePicker): ValuePicker =>
  value =>
    isNonArrayObject(value) ? { data: pick(value.data) } : undefined

const createAnyPicker = (pick: ValuePicker): ValuePicker => {
  const pickAny: ValuePicker = value => (Array.isArray(value) ? pickItems(value) : pick(value))
  const pickItems = createListPicker(pickAny)
  return pickAny
}

const createPicker = (type: FieldType, item: FieldItem, reporter: NameReporter): ValuePicker => {
  const { fields } = item
  const { parts } = type
  if (fields === undefined) return pickWholeValue
  if (parts === undefined || 'words' in parts) throw noFieldsInsideError(item)
  if ('items' in parts) return createListPicker(createPicker(parts.items, item, reporter))
  if ('values' in parts) return createMembersPicker(fields, reporter, () => parts.values)
  if ('data' in parts) return createDataPicker(createPicker(parts.data, item, reporter))
  if ('json' in parts || 'unknown' in parts)
    return createAnyPicker(createMembersPicker(fields, reporter, () => type))
  return createMembersPicker(fields, reporter, memberItem => {
    const member = parts.members.get(memberItem.name)
    if (member === undefined)
      reporter.onMissing(memberItem, () => memberNotFoundError(memberItem, item, type, parts.members))
    return member?.type
  })
}

/**
 * Creates a type that serializes only the members that an item selects: the members of an object, of each
 * value of a list, or of the `data` of a picture. The members of JSON and of a custom type are not known. For such a
 * type, selected members that a value does not have are left out.
 *
 * @throws GraphError `invalid_parameter` for fields inside a value that has no fields, and for modifiers of
 * members.
 */
export const createSelectedType = (type: FieldType, item: FieldItem, reporter: NameReporter): FieldType => {
  const pick = createPicker(type, item, reporter)
  return {
    ...type,
    serializesAsIs: false,
    serialize: (stored, context) => pick(type.serialize(stored, context)),
  }
}
