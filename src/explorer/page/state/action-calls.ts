import { batch, computed, signal } from '@preact/signals'
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

/** How a call ended: with its outcome, or with the reason why it has no response. */
type EndedCall = { readonly outcome?: ActionOutcome; readonly failureMessage?: string }

const sendCall = async (transport: Transport, call: FormCall, token: string): Promise<EndedCall> => {
  try {
    return { outcome: toOutcome(await transport.requestAction(createActionRequest(call), token)) }
  } catch (error) {
    return { failureMessage: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Creates the state of the calls of a form, one at a time. It shows how the last one ended as long as the page has the
 * token of that call, because other viewers have not made it.
 */
export const createFormCalls = ({ token }: RequestState, transport: Transport) => {
  const isBusy = signal(false)
  const lastCall = signal<(EndedCall & { readonly token: string }) | undefined>(undefined)
  const shownCall = computed(() => (lastCall.value?.token === token.value ? lastCall.value : undefined))
  const run = async (call: FormCall): Promise<ActionOutcome | undefined> => {
    const sentToken = token.peek()
    batch(() => {
      lastCall.value = undefined
      isBusy.value = true
    })
    const endedCall = await sendCall(transport, call, sentToken)
    batch(() => {
      lastCall.value = { ...endedCall, token: sentToken }
      isBusy.value = false
    })
    return endedCall.outcome
  }
  /** Hides an error that may no longer be true. A success stays, because it has the link to the new node. */
  const hideError = (): void => {
    const outcome = lastCall.peek()?.outcome
    if (outcome === undefined || outcome.error !== undefined) lastCall.value = undefined
  }
  return {
    isBusy,
    outcome: computed(() => shownCall.value?.outcome),
    failureMessage: computed(() => shownCall.value?.failureMessage),
    run,
    hideError,
  }
}
