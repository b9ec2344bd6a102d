import { GraphError } from '../base/faults.ts'

/**
 * The error of a call that exceeds its scan limit. It names neither a list nor the drawn limit, because both depend on what
 * is hidden. It is a class of its own, so that the call is charged for what it examined.
 */
export class ScanLimitError extends GraphError {
  constructor(limit: number) {
    const text = `the policies of its lists may examine about ${limit} edges for one call. Request fewer lists, a shorter time window or no summary, or read the edge alone`
    super('too_costly', `(#1) Please reduce the amount of data you ask for: ${text}`, { limit })
  }
}
