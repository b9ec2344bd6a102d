import type { ReadonlySignal } from '@preact/signals'
import type { FieldExpression } from '../../../fields/expression.ts'
import type { ErrorDetails } from '../response/error-details.ts'
import type { LeftOutFields } from '../response/left-out-fields.ts'
import type { ExplorerQuery } from '../target/query.ts'
import type { ExplainSummary } from './expression-state.ts'
import type { TransportResponse } from './transport.ts'

/** A request and its response. */
export type ExplorerResponse = {
  readonly sequenceNumber: number
  readonly query: ExplorerQuery
  readonly httpResponse: TransportResponse
  readonly error: ErrorDetails | undefined
  readonly expression: FieldExpression
  /** The plan of the request. It may arrive after the response, or not at all. */
  readonly plan: ReadonlySignal<ExplainSummary | undefined>
  /** The fields that the response leaves out. Empty until they are known. */
  readonly leftOutFields: ReadonlySignal<LeftOutFields>
}
