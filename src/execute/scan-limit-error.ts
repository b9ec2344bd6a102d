import { GraphError } from '../base/faults.ts'

/** The error of a call that exceeds its scan limit. A class of its own, so that the call is charged for what it examined. */
export class ScanLimitError extends GraphError {
  constructor(limit: number) {
    const text =
      'the policies of this call have too much to examine; request fewer lists, shorter pages or no counts'
    super('too_costly', `(#1) Please reduce the amount of data you ask for: ${text}`, { limit })
  }
}
