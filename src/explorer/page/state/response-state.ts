import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals'
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

/** Creates a response whose plan is loaded in parallel, if its query is still the current one. */
const createResponse = (
  parts: Omit<ExplorerResponse, 'error' | 'plan'>,
  request: RequestState,
  { loadPlan }: ExpressionState,
): ExplorerResponse => {
  const plan = signal<ExplainSummary | undefined>(undefined)
  if (isSameQuery(parts.query, request.query.peek())) {
    loadPlan().then(
      loaded => {
        plan.value = loaded
      },
      () => undefined,
    )
  }
  return { ...parts, error: parseError(parts.httpResponse.body), plan }
}

/** Creates the state of the pending request, which ends when the next one starts or the token changes. */
const createPendingRequest = ({ token }: RequestState) => {
  const runningController = signal<AbortController | undefined>(undefined)
  /** Cancels a pending request, whose response is then ignored. */
  const cancel = (): void => {
    runningController.peek()?.abort()
    runningController.value = undefined
  }
  const start = (): AbortSignal => {
    cancel()
    const controller = new AbortController()
    runningController.value = controller
    return controller.signal
  }
  effect(() => {
    void token.value
    cancel()
  })
  return { start, cancel, isBusy: computed(() => runningController.value !== undefined) }
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
  const { start, cancel, isBusy } = createPendingRequest(request)
  const showResponse = (response: ExplorerResponse): void =>
    batch(() => {
      cancel()
      failureMessage.value = undefined
      shownResponse.value = response
    })
  const run = async (): Promise<ExplorerResponse | undefined> => {
    const abortSignal = start()
    const [query, requestedFields] = [request.query.peek(), expression.parsed.peek() ?? []]
    try {
      const httpResponse = await requestGraph(printRequestPath(query), request.token.peek(), abortSignal)
      if (abortSignal.aborted) return undefined
      const sequenceNumber = (history.peek().at(-1)?.sequenceNumber ?? 0) + 1
      const parts = { sequenceNumber, query, httpResponse, expression: requestedFields }
      const response = createResponse(parts, request, expression)
      showResponse(response)
      history.value = [...history.peek(), response].slice(-MAX_HISTORY)
      return response
    } catch (error) {
      if (abortSignal.aborted) return undefined
      cancel()
      failureMessage.value = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  return { shownResponse, history, isBusy, failureMessage, run, showResponse }
}
