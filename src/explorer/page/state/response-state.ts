import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { FieldExpression } from '../../../fields/expression.ts'
import { type ErrorDetails, parseError } from '../response/error-details.ts'
import { type ExplorerQuery, isSameQuery, printRequestPath } from '../target/query.ts'
import type { ExplainSummary, ExpressionState } from './expression-state.ts'
import type { RequestState } from './request-state.ts'
import type { Transport, TransportResponse } from './transport.ts'

/** A request and its response. */
export type ExplorerResponse = {
  readonly sequenceNumber: number
  readonly query: ExplorerQuery
  readonly httpResponse: TransportResponse
  readonly error: ErrorDetails | undefined
  readonly expression: FieldExpression
  /** The plan of the request. It may arrive after the response, or not at all. */
  readonly plan: ReadonlySignal<ExplainSummary | undefined>
}

/** The responses so far. */
export type ResponseState = {
  /** The shown response. */
  readonly shownResponse: ReadonlySignal<ExplorerResponse | undefined>
  /** The responses of this tab, oldest first. */
  readonly history: ReadonlySignal<readonly ExplorerResponse[]>
  readonly isBusy: ReadonlySignal<boolean>
  /** The reason why a request has no response. */
  readonly failureMessage: ReadonlySignal<string | undefined>
  /** Sends the current request; undefined if another request replaced it or it failed. */
  readonly run: () => Promise<ExplorerResponse | undefined>
  /** Shows an earlier response, and cancels a pending request. */
  readonly showResponse: (response: ExplorerResponse) => void
}

const MAX_HISTORY = 50

/** Loads the plan of a query in parallel with its response, which does not wait for it. */
const startPlanLoading = (
  query: ExplorerQuery,
  request: RequestState,
  { loadPlan }: ExpressionState,
): Signal<ExplainSummary | undefined> => {
  const plan = signal<ExplainSummary | undefined>(undefined)
  if (!isSameQuery(query, request.query.peek())) return plan
  loadPlan().then(
    loaded => {
      plan.value = loaded
    },
    () => undefined,
  )
  return plan
}

/** Keeps the responses of this tab in memory. */
export const createResponseState = (
  request: RequestState,
  expression: ExpressionState,
  { requestGraph }: Transport,
): ResponseState => {
  const shownResponse = signal<ExplorerResponse | undefined>(undefined)
  const history = signal<readonly ExplorerResponse[]>([])
  const failureMessage = signal<string | undefined>(undefined)
  const runningController = signal<AbortController | undefined>(undefined)
  /** Cancels a pending request, whose response is then ignored. */
  const cancel = (): void => {
    runningController.peek()?.abort()
    runningController.value = undefined
  }
  effect(() => {
    void request.token.value
    cancel()
  })
  const showResponse = (response: ExplorerResponse): void =>
    batch(() => {
      cancel()
      failureMessage.value = undefined
      shownResponse.value = response
    })
  const addResponse = (
    query: ExplorerQuery,
    requestedFields: FieldExpression,
    httpResponse: TransportResponse,
  ): ExplorerResponse => {
    const sequenceNumber = (history.peek().at(-1)?.sequenceNumber ?? 0) + 1
    const plan = startPlanLoading(query, request, expression)
    const response = {
      sequenceNumber,
      query,
      httpResponse,
      error: parseError(httpResponse.body),
      expression: requestedFields,
      plan,
    }
    showResponse(response)
    history.value = [...history.peek(), response].slice(-MAX_HISTORY)
    return response
  }
  const run = async (): Promise<ExplorerResponse | undefined> => {
    cancel()
    const controller = new AbortController()
    runningController.value = controller
    const [query, requestedFields] = [request.query.peek(), expression.parsed.peek() ?? []]
    try {
      const requestPath = printRequestPath(query)
      const httpResponse = await requestGraph(requestPath, request.token.peek(), controller.signal)
      return controller.signal.aborted ? undefined : addResponse(query, requestedFields, httpResponse)
    } catch (error) {
      if (controller.signal.aborted) return undefined
      cancel()
      failureMessage.value = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  return {
    shownResponse,
    history,
    isBusy: computed(() => runningController.value !== undefined),
    failureMessage,
    run,
    showResponse,
  }
}
