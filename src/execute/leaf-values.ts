import { formatDatetime, isTime } from '../base/dates.ts'
import { isNodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { ComputedStep, MetadataStep, PlanStep, RefStep, TimeStep, ValueStep } from '../plan/plan.ts'
import { isBadValue, type SerializeContext } from '../schema/field-type.ts'
import { createConnectionsMetadata } from '../schema/metadata.ts'
import { datetimeType } from '../schema/time-types.ts'
import { BadValue } from './bad-values.ts'
import type { ExecutionContext } from './execution-context.ts'
import type { TypeGroup } from './selection-rows.ts'
import { createBadStoredValue, readStoredValue } from './stored-values.ts'

/** The validity check of a ref, in the form of a field type. */
const REF_TYPE = { isValid: isNodeId }

/** A step whose value is stored or computed. */
type FieldStep = ValueStep | TimeStep | ComputedStep | RefStep

/** A step without steps below it. */
export type LeafStep = Exclude<PlanStep, { kind: 'id' | 'ref' | 'edge' }>

/** Returns the value of a step, which is at `index` among the steps of its plan. */
export const readLeafValue = (
  context: ExecutionContext,
  group: TypeGroup,
  row: number,
  step: LeafStep,
  index: number,
): unknown => {
  switch (step.kind) {
    case 'value': {
      const stored = readStoredValue(group, step, row, index, context.checksValues)
      if (step.type.serializesAsIs)
        return stored instanceof BadValue ? reportBadValue(context, group, step, stored) : stored
      // Without an edge there is no value, not even the default of a picture.
      if (step.isEdgeField && group.entries[row] === undefined) return undefined
      return serializeValue(context, group, step, stored)
    }
    case 'time':
      return readEdgeTime(context, group, row, step)
    case 'computed':
      return serializeValue(context, group, step, readCellValue(group, row, step.cellIndex))
    case 'viewerEdge':
      return readCellValue(group, row, step.cellIndex) ?? false
    case 'metadata':
      return step.type.serialize(
        createMetadata(context, group, row, step),
        createSerializeContext(context, {}),
      )
  }
}

/** Reports a ref that leads to no node because its value is bad. */
export const reportBadRef = (
  context: ExecutionContext,
  group: TypeGroup,
  row: number,
  step: RefStep,
): void => {
  const stored = group.records[row]?.fields[step.name]
  if (isBadValue(REF_TYPE, stored))
    reportBadValue(context, group, step, new BadValue('the id of a node', stored))
}

const readEdgeTime = (context: ExecutionContext, group: TypeGroup, row: number, step: TimeStep): unknown => {
  const time = group.entries[row]?.time
  if (time === undefined) return undefined
  if (context.checksValues && !isTime(time))
    return reportBadValue(context, group, step, createBadStoredValue(datetimeType, time))
  return formatDatetime(time)
}

/** Serializes a value. Only if this returns nothing, it checks whether the stored value is bad. */
const serializeValue = (
  context: ExecutionContext,
  group: TypeGroup,
  step: ValueStep | ComputedStep,
  stored: unknown,
): unknown => {
  if (stored instanceof BadValue) return reportBadValue(context, group, step, stored)
  const { type, parameters } = step
  const { checksValues } = context
  const input = checksValues && stored === null ? undefined : stored
  const value = type.serialize(input as JsonValue | undefined, createSerializeContext(context, parameters))
  if (value === undefined && checksValues && isBadValue(type, stored))
    return reportBadValue(context, group, step, createBadStoredValue(type, stored))
  return value
}

const createSerializeContext = (
  { now, defaultPicture, checksValues: isStrict }: ExecutionContext,
  parameters: SerializeContext['parameters'],
): SerializeContext => ({ now, defaultPicture, parameters, isStrict })

/** Reports the bad value of a field, and returns undefined to leave the field out. */
const reportBadValue = (
  context: ExecutionContext,
  { plan }: TypeGroup,
  step: FieldStep,
  badValue: BadValue,
): undefined => {
  context.reportBadValue(plan.type, 'field' in step ? step.field : step.name, badValue)
}

const readCellValue = (group: TypeGroup, row: number, cellIndex: number): unknown => {
  const cell = group.cells[cellIndex]
  return cell?.kind === 'values' ? cell.values[row] : undefined
}

/**
 * Creates the value of a metadata step. The fields are copied, so that a change to one result does not change
 * another.
 */
const createMetadata = (
  context: ExecutionContext,
  group: TypeGroup,
  row: number,
  step: MetadataStep,
): JsonObject => {
  const { typeName, nodeType, fields, hasConnections } = step
  const url = context.nodeUrlOf(group.records[row]?.id ?? '', group.plan)
  return {
    ...(fields !== undefined && { fields: fields.map(field => ({ ...field })) }),
    type: typeName,
    ...(hasConnections && {
      connections: createConnectionsMetadata(nodeType, edge => url + context.edgePathOf(edge)),
    }),
  }
}
