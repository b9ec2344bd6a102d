import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { createKey, type FormCall, isDestructive, type SourceAction } from '../action/action-call.ts'
import { createDrafts, type Drafts } from '../action/draft.ts'
import { type FieldIssues, type ReadDrafts, readDrafts } from '../action/read-drafts.ts'
import { findServerIssues } from '../action/server-issues.ts'
import { type ActionOutcome, createFormCalls, isCarriedOut } from './action-calls.ts'
import type { RequestState } from './request-state.ts'
import type { Transport } from './transport.ts'

/** The form of an action. */
export type ActionForm = {
  readonly source: SourceAction
  readonly drafts: ReadonlySignal<Drafts>
  readonly setDrafts: (drafts: Drafts) => void
  /** The expression of the fields of the returned node. */
  readonly fields: ReadonlySignal<string>
  readonly setFields: (fields: string) => void
  /** The call that the form makes. */
  readonly call: ReadonlySignal<FormCall>
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
  /** Checks the values, and runs the action or opens its confirmation. Does nothing while the action runs. */
  readonly submit: () => Promise<void>
  /** Runs the action. */
  readonly run: () => Promise<void>
}

/**
 * Creates the values of a form. Calls `hideError` with each change of them, and `renewKey` with each change of a
 * parameter: the fields of the returned node do not change what the action does.
 */
const createFormValues = (
  { action }: SourceAction,
  defaultFields: string,
  { hideError, renewKey }: { readonly hideError: () => void; readonly renewKey: () => void },
) => {
  const { parameters = [] } = action
  const drafts = signal(createDrafts(parameters))
  const fields = signal(defaultFields)
  const read = computed<ReadDrafts>(() => readDrafts(parameters, drafts.value))
  const setDrafts = (value: Drafts): void =>
    batch(() => {
      drafts.value = value
      renewKey()
      hideError()
    })
  const setFields = (value: string): void =>
    batch(() => {
      fields.value = value
      hideError()
    })
  return { drafts, fields, read, setDrafts, setFields }
}

/**
 * Creates the key of the calls of a form. A call that is repeated with the same parameters has the same key, unless
 * the call before it succeeded.
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

/** Creates the issues of a form, which are shown once the user has submitted it. */
const createFormIssues = (
  read: ReadonlySignal<ReadDrafts>,
  outcome: ReadonlySignal<ActionOutcome | undefined>,
) => {
  const isChecked = signal(false)
  const rejections = signal(0)
  const issues = computed<FieldIssues>(() => {
    const { issues: ownIssues, paths } = read.value
    if (!isChecked.value) return new Map()
    return ownIssues.size > 0 ? ownIssues : findServerIssues(outcome.value?.response.body, paths)
  })
  /** Shows the issues, and returns whether there are any. */
  const report = (): boolean => {
    isChecked.value = true
    if (issues.peek().size > 0) rejections.value++
    return issues.peek().size > 0
  }
  return { issues, rejections, report }
}

/** Creates the form of an action. Calls `onSuccess` after each call that was carried out. */
export const createActionForm = (
  source: SourceAction,
  defaultFields: string,
  request: RequestState,
  transport: Transport,
  onSuccess: () => void,
): ActionForm => {
  const key = createFormKey(source)
  const { hideError, run: runCall, ...calls } = createFormCalls(request, transport)
  const { read, ...values } = createFormValues(source, defaultFields, { hideError, renewKey: key.renew })
  const call = computed<FormCall>(() => ({
    ...source,
    version: request.version.value,
    values: read.value.values,
    fields: values.fields.value,
    key: key.value.value,
  }))
  const { report, ...issues } = createFormIssues(read, calls.outcome)
  const isConfirming = signal(false)
  const run = async (): Promise<void> => {
    if (calls.isBusy.peek()) return
    key.use()
    const outcome = await runCall(call.peek())
    report()
    if (outcome === undefined || !isCarriedOut(outcome)) return
    key.renew()
    onSuccess()
  }
  const submit = async (): Promise<void> => {
    if (calls.isBusy.peek()) return
    hideError()
    if (report()) return
    if (isDestructive(source.action)) isConfirming.value = true
    else await run()
  }
  return { source, ...values, ...calls, ...issues, call, isConfirming, submit, run }
}
