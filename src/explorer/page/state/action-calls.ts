import { batch, signal } from '@preact/signals'
import { createActionRequest, type FormCall } from '../action/action-call.ts'
import type { ErrorDetails } from '../response/error-details.ts'
import { nodeIdOf, textAt } from '../response/json.ts'
import { readGraphError } from './read-graph-error.ts'
import type { RequestState } from './request-state.ts'
import type { Transport, TransportResponse } from './transport.ts'

/** The response to a call of an action. */
export type ActionOutcome = {
  readonly response: TransportResponse
  readonly error: ErrorDetails | undefined
  /** The id of the returned node, if the action returned one. After an error, only the read of the node failed. */
  readonly nodeId: string | undefined
}

/** Whether an action was carried out, also if the read of its node failed. */
export const isCarriedOut = ({ error, nodeId }: ActionOutcome): boolean =>
  error === undefined || nodeId !== undefined

/** @throws Error for a response that is not from the graph. */
const toOutcome = (response: TransportResponse): ActionOutcome => {
  const { body } = response
  const error = readGraphError(response)
  const nodeId = nodeIdOf(body) ?? textAt(body, 'error', 'original_response', 'id')
  return { response, error, nodeId }
}

/** Creates the state of the calls of a form, one at a time. */
export const createFormCalls = ({ token }: RequestState, { requestAction }: Transport) => {
  const isBusy = signal(false)
  const outcome = signal<ActionOutcome | undefined>(undefined)
  const failureMessage = signal<string | undefined>(undefined)
  const run = async (call: FormCall): Promise<ActionOutcome | undefined> => {
    batch(() => {
      outcome.value = undefined
      failureMessage.value = undefined
      isBusy.value = true
    })
    try {
      outcome.value = toOutcome(await requestAction(createActionRequest(call), token.peek()))
    } catch (error) {
      failureMessage.value = error instanceof Error ? error.message : String(error)
    } finally {
      isBusy.value = false
    }
    return outcome.peek()
  }
  /** Hides an error that may no longer be true. A success stays, because it has the link to the new node. */
  const hideError = (): void => {
    if (outcome.peek()?.error !== undefined) outcome.value = undefined
    failureMessage.value = undefined
  }
  return { isBusy, outcome, failureMessage, run, hideError }
}
