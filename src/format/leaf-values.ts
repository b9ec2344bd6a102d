import { formatDatetime, isTime } from '../base/dates.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { BadValue, badValueError } from '../core/bad-values.ts'
import type { StoredValues, TypeGroup } from '../core/selection-rows.ts'
import type { MetadataStep, PlanStep, RefStep, TimeStep, ValueStep, ViewerEdgeStep } from '../plan/plan.ts'
import type { ExecutionContext } from '../read/context.ts'
import { isBadValue, type SerializeContext } from '../schema/field-type.ts'
import { createConnectionsMetadata } from '../schema/metadata.ts'
import { refTypeOf } from '../schema/ref-type.ts'
import { datetimeType } from '../schema/time-types.ts'
import type { EdgeRecord } from '../store/contract.ts'
import { edgeTimeOf } from '../store/derived-entries.ts'
import { edgePathOf, nodeUrlOf } from './node-urls.ts'
import {
  areValuesValid,
  checkPlainValue,
  checksValues,
  createBadStoredValue,
  isMissing,
} from './stored-values.ts'

/** The name of a field, for reports about bad values. */
type NamedField = { readonly field: string } | { readonly name: string }

/** A step without a nested selection. The id has a separate step. */
export type LeafStep = Exclude<PlanStep, { kind: 'id' | 'ref' | 'edge' }>

const getUncheckedValue = (
  { records, entries }: TypeGroup,
  { isEdgeField, name }: ValueStep,
  row: number,
) => {
  const fields = isEdgeField ? entries[row]?.data : records[row]?.fields
  return fields?.[name]
}

/**
 * Reads a field of all rows at once. The values are scattered in memory. In a loop that does nothing else,
 * the processor fetches many of them at the same time.
 */
const readValuesOfAllRows = (group: TypeGroup, step: ValueStep, checksValues: boolean): StoredValues => {
  const { type } = step
  const values = group.records.map((_, row) => getUncheckedValue(group, step, row))
  if (!type.serializesAsIs || areValuesValid(type, values, checksValues)) return values
  return values.map(value => checkPlainValue(type, value, checksValues))
}

/**
 * The maximum number of rows that are read at once. Rows of larger groups are read one by one, so that
 * reading them does not block the event loop.
 */
export const MAX_ROWS_AT_ONCE = 1000

/**
 * Returns the stored value of a row for a step. `index` is the position of the step in its plan. If
 * `checksValues` is true, returns a `BadValue` for a value that is serialized unchanged but is not valid for
 * its type.
 */
const readStoredValue = (
  group: TypeGroup,
  step: ValueStep,
  row: number,
  index: number,
  checksValues: boolean,
): StoredValues[number] => {
  if (group.records.length === 1 || group.records.length > MAX_ROWS_AT_ONCE) {
    const value = getUncheckedValue(group, step, row)
    return step.type.serializesAsIs ? checkPlainValue(step.type, value, checksValues) : value
  }
  const values = group.storedValues[index] ?? readValuesOfAllRows(group, step, checksValues)
  group.storedValues[index] = values
  return values[row]
}

/** Returns the value of a step. `index` is the position of the step in its plan. */
export const readLeafValue = (
  context: ExecutionContext,
  group: TypeGroup,
  row: number,
  step: LeafStep,
  index: number,
): unknown => {
  switch (step.kind) {
    case 'value': {
      // A record that was not read as an entry of a list has no value, not even the default picture.
      if (step.isEdgeField && group.entries[row] === undefined) return undefined
      const stored = readStoredValue(group, step, row, index, checksValues(context))
      if (isMissing(context, step, stored))
        return reportBadValue(context, group, step, new BadValue('a value', stored))
      if (step.type.serializesAsIs)
        return stored instanceof BadValue ? reportBadValue(context, group, step, stored) : stored
      return serializeValue(context, group, step, stored)
    }
    case 'time':
      return readEdgeTime(context, group, row, step)
    case 'computed':
      return serializeValue(context, group, step, readCellValue(group, row, step.cellIndex))
    case 'viewerEdge':
      return readViewerEdge(context, group, row, step)
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
  if (isMissing(context, step, stored) || isBadValue(refTypeOf(context.ids.kind), stored))
    reportBadValue(context, group, step, new BadValue('the id of a node', stored))
}

const readEdgeTime = (context: ExecutionContext, group: TypeGroup, row: number, step: TimeStep): unknown => {
  const entry = group.entries[row]
  if (entry === undefined) return undefined
  const time = edgeTimeOf(entry)
  if (checksValues(context) && !isTime(time))
    return reportBadValue(context, group, step, createBadStoredValue(datetimeType, time))
  return formatDatetime(time)
}

/** Returns whether the viewer's own edge exists, or a value of it. */
const readViewerEdge = (
  context: ExecutionContext,
  group: TypeGroup,
  row: number,
  step: ViewerEdgeStep,
): unknown => {
  const found = readCellValue(group, row, step.cellIndex)
  const { name, value } = step
  if (value === undefined) return found ?? false
  if (!isEdgeRecord(found)) return undefined
  const { type, parameters, field } = value
  const stored = field === undefined ? found.time : found.data?.[field]
  if (!type.serializesAsIs) return serializeValue(context, group, { name, type, parameters }, stored)
  const checked = checkPlainValue(type, stored, checksValues(context))
  return checked instanceof BadValue ? reportBadValue(context, group, step, checked) : checked
}

const isEdgeRecord = (found: unknown): found is EdgeRecord => typeof found === 'object' && found !== null

/** Serializes a value. If the type returns `undefined`, checks whether the stored value is bad. */
const serializeValue = (
  context: ExecutionContext,
  group: TypeGroup,
  step: NamedField & Pick<ValueStep, 'type' | 'parameters'>,
  stored: unknown,
): unknown => {
  if (stored instanceof BadValue) return reportBadValue(context, group, step, stored)
  const { type, parameters } = step
  const isStrict = checksValues(context)
  const input = isStrict && stored === null ? undefined : stored
  const value = type.serialize(input as JsonValue | undefined, createSerializeContext(context, parameters))
  if (value === undefined && isStrict && isBadValue(type, stored))
    return reportBadValue(context, group, step, createBadStoredValue(type, stored))
  return value
}

const createSerializeContext = (
  context: ExecutionContext,
  parameters: SerializeContext['parameters'],
): SerializeContext => {
  const { now, defaultPicture } = context
  return { now, defaultPicture, parameters, isStrict: checksValues(context) }
}

/**
 * Reports the bad value of a field, and returns `undefined` to leave the field out.
 *
 * @throws GraphError `internal_error` if `checkValues` is `error`.
 */
const reportBadValue = (
  { reporter, checkValues, debugMessages }: ExecutionContext,
  { plan: { type } }: TypeGroup,
  step: NamedField,
  badValue: BadValue,
): undefined => {
  const field = 'field' in step ? step.field : step.name
  reporter?.countBadValue(type, field)
  if (checkValues === 'error') throw badValueError(type, field, badValue)
  debugMessages.addIfDebug(`Field ${field} of ${type} is left out: its value is not valid`)
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
  const url = nodeUrlOf(context, group.records[row]?.id ?? '', group.plan)
  return {
    ...(fields !== undefined && { fields: fields.map(field => ({ ...field })) }),
    type: typeName,
    ...(hasConnections && {
      connections: createConnectionsMetadata(nodeType, edge => url + edgePathOf(context, edge)),
    }),
  }
}
