import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  type ActionCall,
  createActionRequest,
  createKey,
  isDestructive,
  type SourceAction,
} from '../action/action-call.ts'
import { createDrafts, type Drafts } from '../action/draft.ts'
import { type FieldIssues, type ReadDrafts, readDrafts } from '../action/read-drafts.ts'
import { findServerIssues } from '../action/server-issues.ts'
import { type ErrorDetails, parseError } from '../response/error-details.ts'
import { nodeIdOf, textAt } from '../response/json.ts'
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

/** The form of an action. */
export type ActionForm = {
  readonly source: SourceAction
  readonly drafts: ReadonlySignal<Drafts>
  readonly setDrafts: (drafts: Drafts) => void
  /** The expression of the fields of the returned node. */
  readonly fields: ReadonlySignal<string>
  readonly setFields: (fields: string) => void
  /** The call that the form makes. */
  readonly call: ReadonlySignal<ActionCall>
  /** What is wrong with the values, once the user has submitted them. */
  readonly issues: ReadonlySignal<FieldIssues>
  readonly isBusy: ReadonlySignal<boolean>
  /** Whether the user must confirm the submitted call. */
  readonly isConfirming: Signal<boolean>
  readonly outcome: ReadonlySignal<ActionOutcome | undefined>
  /** The reason why a call has no response. */
  readonly failureMessage: ReadonlySignal<string | undefined>
  /** How often values were submitted that are wrong. */
  readonly rejections: ReadonlySignal<number>
  /** Checks the values, and runs the action or opens its confirmation. */
  readonly submit: () => Promise<void>
  /** Runs the action. */
  readonly run: () => Promise<void>
}

const FIRST_ERROR_STATUS = 400

/** Creates the values of a form. Calls `onEdit` with each change of them. */
const createFormValues = ({ action }: SourceAction, defaultFields: string, onEdit: () => void) => {
  const { parameters = [] } = action
  const drafts = signal(createDrafts(parameters))
  const fields = signal(defaultFields)
  const read = computed<ReadDrafts>(() => readDrafts(parameters, drafts.value))
  const edit = <TValue>(target: Signal<TValue>, value: TValue): void =>
    batch(() => {
      target.value = value
      onEdit()
    })
  return {
    drafts,
    fields,
    read,
    setDrafts: (value: Drafts) => edit(drafts, value),
    setFields: (value: string) => edit(fields, value),
  }
}

/**
 * Creates the key of the calls of a form. A call that is repeated without a change has the same key, unless the call
 * before it succeeded.
 */
const createFormKey = ({ action }: SourceAction) => {
  const key = signal(createKey())
  let isUsed = false
  return {
    value: computed(() => (action.isNotIdempotent ? undefined : key.value)),
    use: (): void => {
      isUsed = true
    },
    renew: (): void => {
      if (isUsed) key.value = createKey()
      isUsed = false
    },
  }
}

/** Creates the state of the call that runs. */
const createFormCalls = ({ token }: RequestState, { requestAction }: Transport) => {
  const isBusy = signal(false)
  const outcome = signal<ActionOutcome | undefined>(undefined)
  const failureMessage = signal<string | undefined>(undefined)
  const run = async (call: ActionCall): Promise<ActionOutcome | undefined> => {
    batch(() => {
      outcome.value = undefined
      failureMessage.value = undefined
      isBusy.value = true
    })
    try {
      const response = await requestAction(createActionRequest(call), token.peek())
      const error = parseError(response.body)
      if (error === undefined && response.status >= FIRST_ERROR_STATUS)
        throw new Error(`The response has the status ${response.status}, and is not from the graph.`)
      const nodeId = nodeIdOf(response.body) ?? textAt(response.body, 'error', 'original_response', 'id')
      outcome.value = { response, error, nodeId }
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

/** Creates the form of an action. Calls `onSuccess` after each call that succeeded. */
export const createActionForm = (
  source: SourceAction,
  defaultFields: string,
  request: RequestState,
  transport: Transport,
  onSuccess: () => void,
): ActionForm => {
  const key = createFormKey(source)
  const { isBusy, outcome, failureMessage, ...calls } = createFormCalls(request, transport)
  const { read, ...values } = createFormValues(source, defaultFields, () => {
    key.renew()
    calls.hideError()
  })
  const call = computed<ActionCall>(() => ({
    ...source,
    version: request.version.value,
    values: read.value.values,
    fields: values.fields.value,
    key: key.value.value,
  }))
  const isChecked = signal(false)
  const issues = computed<FieldIssues>(() => {
    const { issues, paths } = read.value
    if (!isChecked.value) return new Map()
    return issues.size > 0 ? issues : findServerIssues(outcome.value?.response.body, paths)
  })
  const isConfirming = signal(false)
  const rejections = signal(0)
  const reportIssues = (): boolean => {
    isChecked.value = true
    if (issues.peek().size > 0) rejections.value++
    return issues.peek().size > 0
  }
  const run = async (): Promise<void> => {
    if (isBusy.peek()) return
    key.use()
    const result = await calls.run(call.peek())
    reportIssues()
    if (result === undefined || !isCarriedOut(result)) return
    key.renew()
    onSuccess()
  }
  const submit = async (): Promise<void> => {
    calls.hideError()
    if (reportIssues()) return
    if (isDestructive(source.action)) isConfirming.value = true
    else await run()
  }
  return {
    source,
    ...values,
    call,
    issues,
    isBusy,
    isConfirming,
    outcome,
    failureMessage,
    rejections,
    submit,
    run,
  }
}
