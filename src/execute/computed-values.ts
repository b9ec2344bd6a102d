import { describeValue } from '../base/describe.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { ComputedStep } from '../plan/plan.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { BadValue } from './bad-values.ts'

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

/** Parses the values that a `resolve` returned as if they were written. */
export const parseComputedValues = (
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
