import { GraphError, REDUCE_DATA_MESSAGE } from '../base/errors.ts'

/**
 * The error of a call that exceeds its scan limit. It names neither a list nor the drawn limit, because both
 * depend on what is hidden. It is a class of its own, so that the call is charged for what it examined.
 */
export class ScanLimitError extends GraphError {
  constructor(limit: number) {
    const hint = 'Request fewer lists, a shorter time window or no summary, or read the edge alone'
    super(
      'query_too_expensive',
      `(#1) ${REDUCE_DATA_MESSAGE}: one call may examine about ${limit} edges of lists under a policy. ${hint}`,
      { limit },
    )
  }
}
