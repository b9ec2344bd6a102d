import { formatDatetime, isTime } from '../base/dates.ts'
import { isNodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { ComputedStep, MetadataStep, RefStep, Step, TimeStep, ValueStep } from '../plan/plan.ts'
import { isBadValue, type SerializeContext } from '../schema/field-type.ts'
import { connectionsMetadata } from '../schema/metadata.ts'
import { datetimeType } from '../schema/time-types.ts'
import { BadValue } from './bad-values.ts'
import type { Context } from './context.ts'
import type { Group } from './gathered.ts'
import { badStoredValue, storedValue } from './stored-values.ts'

/** What is valid of a ref. */
const REF = { isValid: isNodeId }

/** A member of an answer whose value is stored or computed. */
type StepOfField = ValueStep | TimeStep | ComputedStep | RefStep

/** A member of an answer that has nothing below it. */
export type LeafStep = Exclude<Step, { kind: 'id' | 'ref' | 'edge' }>

/** The value of a step that stands at `index` among those of its plan. */
export const leafValue = (
  context: Context,
  group: Group,
  row: number,
  step: LeafStep,
  index: number,
): unknown => {
  switch (step.kind) {
    case 'value': {
      const stored = storedValue(group, step, row, index, context.checksValues)
      if (step.type.plain) return stored instanceof BadValue ? leaveOut(context, group, step, stored) : stored
      // Of an edge that was not read there is no value, where a picture would have a default.
      if (step.entry && group.entries[row] === undefined) return undefined
      return serialized(context, group, step, stored)
    }
    case 'time':
      return timeOf(context, group, row, step)
    case 'computed':
      return serialized(context, group, step, cellValue(group, row, step.cell))
    case 'test':
      return cellValue(group, row, step.cell) ?? false
    case 'metadata':
      return step.type.serialize(metadataOf(context, group, row, step), serializeContext(context, {}))
  }
}

/** Reports a ref that leads nowhere because its value is bad. */
export const reportBadRef = (context: Context, group: Group, row: number, step: RefStep): void => {
  const stored = group.records[row]?.fields[step.name]
  if (isBadValue(REF, stored)) leaveOut(context, group, step, new BadValue('the id of a node', stored))
}

const timeOf = (context: Context, group: Group, row: number, step: TimeStep): unknown => {
  const time = group.entries[row]?.time
  if (time === undefined) return undefined
  if (context.checksValues && !isTime(time))
    return leaveOut(context, group, step, badStoredValue(datetimeType, time))
  return formatDatetime(time)
}

/** Only a value that gives nothing is looked at again: whether it is bad. */
const serialized = (
  context: Context,
  group: Group,
  step: ValueStep | ComputedStep,
  stored: unknown,
): unknown => {
  if (stored instanceof BadValue) return leaveOut(context, group, step, stored)
  const { type, parameters } = step
  const { checksValues } = context
  const given = checksValues && stored === null ? undefined : stored
  const value = type.serialize(given as JsonValue | undefined, serializeContext(context, parameters))
  if (value === undefined && checksValues && isBadValue(type, stored))
    return leaveOut(context, group, step, badStoredValue(type, stored))
  return value
}

const serializeContext = (
  { now, silhouette, checksValues: checked }: Context,
  parameters: SerializeContext['parameters'],
): SerializeContext => ({ now, silhouette, parameters, checked })

/** Leaves out a field that would be returned, since its value is bad. */
const leaveOut = (context: Context, { plan }: Group, step: StepOfField, bad: BadValue): undefined => {
  context.leaveOut(plan.type, 'field' in step ? step.field : step.name, bad)
}

const cellValue = (group: Group, row: number, index: number): unknown => {
  const cell = group.cells[index]
  return cell?.kind === 'values' ? cell.values[row] : undefined
}

/** Copied, so that a change to an answer changes no other. */
const metadataOf = (context: Context, group: Group, row: number, step: MetadataStep): JsonObject => {
  const { typeName, described, fields, connections } = step
  const url = context.urlOf(group.records[row]?.id ?? '', group.plan)
  return {
    ...(fields !== undefined && { fields: fields.map(field => ({ ...field })) }),
    type: typeName,
    ...(connections && { connections: connectionsMetadata(described, edge => url + context.pathOf(edge)) }),
  }
}
