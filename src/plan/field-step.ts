import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import type { JsonValue } from '../base/json.ts'
import type { FieldItem, Modifier } from '../fields/expression.ts'
import type { RefField, ValueField } from '../schema/field.ts'
import { readArgument } from './arguments.ts'
import { memberOf } from './member.ts'
import { type Inside, nothingInside, pickedType } from './picked-type.ts'
import type { DeclaredField } from './place.ts'
import type { Selection, Step } from './plan.ts'
import type { TypePlanBuilder } from './type-plan.ts'
import { costOfValue } from './value-cost.ts'

/** @throws GraphError `bad_parameter` for a modifier that a field does not take. */
export const refuseModifier = ({ name }: Modifier, item: FieldItem, known: readonly string[]): never => {
  throw badParameter(name, `one of ${['as', ...known].join(', ')} on ${item.name}`, describe(name))
}

const parametersOf = (item: FieldItem, field: ValueField): { readonly [name: string]: JsonValue } => {
  const parameters: { [name: string]: JsonValue } = {}
  for (const modifier of item.modifiers) {
    if (modifier.name === 'as') continue
    const known = Object.hasOwn(field.parameters, modifier.name)
    const type = known ? field.parameters[modifier.name] : undefined
    if (type === undefined) return refuseModifier(modifier, item, Object.keys(field.parameters))
    parameters[modifier.name] = readArgument(modifier, type)
  }
  return parameters
}

/** What is below an item: the nodes that a ref leads to, or what is inside of a value. */
export type Below = Inside & { selectionBehind(ref: RefField): Selection }

const valueStep = (
  item: FieldItem,
  { field, entry }: { readonly field: ValueField; readonly entry: boolean },
  builder: TypePlanBuilder,
  below: Below,
): Step => {
  const { name } = item
  const { key, first, later } = memberOf(item.key)
  const { scope, resolve, policy } = field
  const type = item.fields === undefined ? field.type : pickedType(field.type, item, below)
  const parameters = parametersOf(item, field)
  const cell = builder.nextCell
  const guard = builder.guardBy(policy)
  const cost = costOfValue(field, item.fields)
  if (resolve !== undefined)
    return { kind: 'computed', key, first, later, cell, name, type, resolve, parameters, scope, guard, cost }
  const { from = name } = field
  return {
    kind: 'value',
    key,
    first,
    later,
    entry,
    field: name,
    name: from,
    type,
    parameters,
    scope,
    guard,
    cost,
  }
}

/**
 * The step for a field of a record, or of the edge that led to it.
 *
 * @throws GraphError `bad_parameter` for a modifier that the field does not take, or for fields of what has nothing inside.
 */
export const fieldStep = (
  item: FieldItem,
  { field, entry, step }: DeclaredField,
  builder: TypePlanBuilder,
  below: Below,
): Step => {
  const { name, modifiers } = item
  const isPlain = modifiers.length === 0 && item.fields === undefined
  if (isPlain && step !== undefined) return step
  if (field.kind === 'value') return valueStep(item, { field, entry }, builder, below)
  if (item.fields !== undefined && field.kind !== 'ref') throw nothingInside(item)
  const foreign = modifiers.find(modifier => modifier.name !== 'as')
  if (foreign !== undefined) return refuseModifier(foreign, item, [])
  const { key, first, later } = memberOf(item.key)
  const { scope, policy } = field
  if (field.kind === 'edgeTime')
    return { kind: 'time', key, first, later, field: item.name, scope, guard: undefined }
  const cell = builder.nextCell
  const guard = builder.guardBy(policy)
  if (field.kind === 'viewerEdge')
    return { kind: 'test', key, first, later, cell, edge: field.edge, scope, guard }
  return { kind: 'ref', key, first, later, cell, name, selection: below.selectionBehind(field), guard }
}
