import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import type { JsonValue } from '../base/json.ts'
import type { FieldItem, Modifier } from '../fields/expression.ts'
import type { Field, ValueField } from '../schema/field.ts'
import { readArgument } from './arguments.ts'
import { memberOf } from './member.ts'
import { type Inside, pickedType } from './picked-type.ts'
import type { Selection, Step } from './plan.ts'

const refuse = ({ name }: Modifier, item: FieldItem, known: readonly string[]): never => {
  throw badParameter(name, `one of ${['as', ...known].join(', ')} on ${item.name}`, describe(name))
}

const parametersOf = (item: FieldItem, field: ValueField): { readonly [name: string]: JsonValue } => {
  const parameters: { [name: string]: JsonValue } = {}
  for (const modifier of item.modifiers) {
    if (modifier.name === 'as') continue
    const known = Object.hasOwn(field.parameters, modifier.name)
    const type = known ? field.parameters[modifier.name] : undefined
    if (type === undefined) return refuse(modifier, item, Object.keys(field.parameters))
    parameters[modifier.name] = readArgument(modifier, type)
  }
  return parameters
}

/** Where a step stands in its type plan. */
export type StepPlace = {
  /** Whether the field is of the edge that led to the record. */
  readonly entry: boolean
  readonly cell: number
  readonly guard: number | undefined
}

const valueStep = (
  item: FieldItem,
  field: ValueField,
  { entry, cell, guard }: StepPlace,
  inside: Inside,
): Step => {
  const { key, name } = item
  const { scope, resolve } = field
  const type = item.fields === undefined ? field.type : pickedType(field.type, item, inside)
  const parameters = parametersOf(item, field)
  if (resolve !== undefined)
    return { kind: 'computed', ...memberOf(key), cell, name, type, resolve, parameters, scope, guard }
  return { kind: 'value', ...memberOf(key), entry, name: field.from ?? name, type, parameters, scope, guard }
}

/** What is below an item: the nodes of a ref, or what is inside of a value. */
export type Below = Inside & { readonly selection: () => Selection }

/**
 * The step for a field of a record, or of the edge that led to it.
 *
 * @throws GraphError `bad_parameter` for a modifier that the field does not take, or for fields of what has nothing inside.
 */
export const fieldStep = (item: FieldItem, field: Field, place: StepPlace, below: Below): Step => {
  const { key, name } = item
  const { cell, guard } = place
  if (field.kind === 'value') return valueStep(item, field, place, below)
  const foreign = item.modifiers.find(modifier => modifier.name !== 'as')
  if (foreign !== undefined) return refuse(foreign, item, [])
  const { scope } = field
  if (field.kind === 'ref')
    return { kind: 'ref', ...memberOf(key), cell, name, selection: below.selection(), guard }
  if (field.kind === 'edgeTime') return { kind: 'time', ...memberOf(key), scope, guard: undefined }
  return { kind: 'test', ...memberOf(key), cell, edge: field.edge, scope, guard }
}
