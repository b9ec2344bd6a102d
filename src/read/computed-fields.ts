import type { Awaitable } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import { GraphError, internalError } from '../base/errors.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import { BadValue } from '../core/bad-values.ts'
import { checkReads } from '../core/read-guard.ts'
import type { TypeGroup } from '../core/selection-rows.ts'
import type { ComputedStep } from '../plan/plan.ts'
import { isVisible, visibilityMask } from '../policy/visibility.ts'
import type { FieldResolver } from '../schema/field.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import type { ExecutionContext } from './context.ts'
import { resolveParameterIds } from './parameters.ts'

const parseComputedValue = ({ type }: ComputedStep, value: unknown): unknown => {
  if (value === undefined) return undefined
  if (value instanceof Error) return new BadValue('a value', value)
  try {
    return type.parse(value)
  } catch (error) {
    if (!(error instanceof ValidationIssue)) throw error
    return new BadValue(error.expected, value)
  }
}

/** Parses the values that a `resolve` returned, with the same validation as for written values. */
const parseComputedValues = (
  values: readonly unknown[],
  step: ComputedStep,
  recordCount: number,
): unknown[] => {
  if (!Array.isArray(values) || values.length !== recordCount) {
    const expected = `an array of length ${recordCount}, with a value for each record`
    throw usageErrorAbout(`${step.name}.resolve`, 'the result', expected, describeValue(values))
  }
  return Array.from(values, value => parseComputedValue(step, value))
}

const computeField = async (
  executionContext: ExecutionContext,
  group: TypeGroup,
  step: ComputedStep,
): Promise<void> => {
  const resolve: (...args: Parameters<FieldResolver<unknown>>) => Awaitable<readonly unknown[]> = step.resolve
  const mask = visibilityMask(group, step)
  const visible = mask === undefined ? group.records : group.records.filter((_, row) => isVisible(mask, row))
  const location = `${group.plan.type}.${step.name}.resolve`
  const { readGuard } = executionContext
  const records =
    readGuard === undefined
      ? visible
      : visible.map(record => checkReads(readGuard, record, step.reads, location))
  const { session, readOptions, now } = executionContext
  try {
    const { values: parameters } = resolveParameterIds(
      step.declaredParameters,
      step.parameters,
      executionContext,
    )
    const context = { session, signal: readOptions.signal, now, parameters }
    const values =
      records.length === 0 ? [] : parseComputedValues(await resolve(records, context), step, records.length)
    let nextValueIndex = 0
    const valuesByRow = group.records.map((_, row) =>
      isVisible(mask, row) ? values[nextValueIndex++] : undefined,
    )
    group.cells[step.cellIndex] = { kind: 'values', values: valuesByRow }
  } catch (error) {
    throw error instanceof GraphError ? error : internalError(error)
  }
}

/** Starts the computation of a field for a whole group. `waitForComputedFields` waits for its values. */
export const startComputedField = (context: ExecutionContext, group: TypeGroup, step: ComputedStep): void => {
  const pendingField = computeField(context, group, step)
  // `waitForComputedFields` throws the error later. Without this handler, the rejection would be unhandled
  // until then.
  pendingField.catch(() => undefined)
  context.computedFields ??= []
  context.computedFields.push(pendingField)
}

/**
 * Waits for the computed fields until the deadline or an abort at the latest.
 *
 * @throws GraphError `internal_error` with the error of a `resolve` as its cause; also `aborted` and
 * `timeout`.
 */
export const waitForComputedFields = ({
  computedFields = [],
  readOptions: { signal, deadline },
}: ExecutionContext): Promise<unknown> => settleInTime(Promise.all(computedFields), signal, deadline)
