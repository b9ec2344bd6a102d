import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { parseError } from '../response/error-details.ts'
import { type LeftOutFields, NO_LEFT_OUT_FIELDS } from '../response/left-out-fields.ts'
import { isSameQuery, printRequestPath } from '../target/query.ts'
import type { ExplorerResponse } from './explorer-response.ts'
import type { ExplainSummary, ExpressionState } from './expression-state.ts'
import type { LeftOutLoader } from './left-out-loader.ts'
import type { RequestState } from './request-state.ts'
import type { Transport } from './transport.ts'

/** The pending request, and the shown response. */
export type ResponseState = {
  /** The shown response. */
  readonly shownResponse: ReadonlySignal<ExplorerResponse | undefined>
  readonly isBusy: ReadonlySignal<boolean>
  /** The reason why a request has no response. */
  readonly failureMessage: ReadonlySignal<string | undefined>
  /**
   * Sends the current request. Resolves to undefined if the request failed or another request replaced it.
   */
  readonly run: () => Promise<ExplorerResponse | undefined>
  /** Shows an earlier response, and cancels a pending request. */
  readonly showResponse: (response: ExplorerResponse) => void
}

/** Loads additional data for a response. The data may arrive after the response. */
type ResponseLoaders = {
  readonly loadPlan: ExpressionState['loadPlan']
  readonly loadLeftOutFields: LeftOutLoader
}

/**
 * Returns a signal with the value of a promise. The signal keeps its initial value if the promise is
 * rejected.
 */
const toSignal = <TValue>(promise: Promise<TValue>, initialValue: TValue): ReadonlySignal<TValue> => {
  const result = signal(initialValue)
  promise.then(
    value => {
      result.value = value
    },
    () => undefined,
  )
  return result
}

/** Creates a response. Loads its plan only if its query is still the current one. */
const createResponse = (
  parts: Omit<ExplorerResponse, 'error' | 'plan' | 'leftOutFields'>,
  request: RequestState,
  { loadPlan, loadLeftOutFields }: ResponseLoaders,
): ExplorerResponse => {
  const { query, expression, httpResponse } = parts
  const hasPlan = isSameQuery(query, request.query.peek())
  const plan = hasPlan ? loadPlan() : Promise.resolve(undefined)
  return {
    ...parts,
    error: parseError(httpResponse.body),
    plan: toSignal<ExplainSummary | undefined>(plan, undefined),
    leftOutFields: toSignal<LeftOutFields>(
      loadLeftOutFields(query, expression, httpResponse.body),
      NO_LEFT_OUT_FIELDS,
    ),
  }
}

/** Creates the state of the pending request, which ends when the next request starts or the token changes. */
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

/** Creates the state of the responses. Calls `onResponse` with every new response. */
export const createResponseState = (
  request: RequestState,
  expression: ExpressionState,
  { requestGraph }: Transport,
  loadLeftOutFields: LeftOutLoader,
  onResponse: (response: ExplorerResponse) => void,
): ResponseState => {
  const shownResponse = signal<ExplorerResponse | undefined>(undefined)
  const loaders = { loadPlan: expression.loadPlan, loadLeftOutFields }
  let lastSequenceNumber = 0
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
      const sequenceNumber = ++lastSequenceNumber
      const parts = { sequenceNumber, query, httpResponse, expression: requestedFields }
      const response = createResponse(parts, request, loaders)
      showResponse(response)
      onResponse(response)
      return response
    } catch (error) {
      if (abortSignal.aborted) return undefined
      cancel()
      failureMessage.value = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  return { shownResponse, isBusy, failureMessage, run, showResponse }
}
