import { useEffect, useRef } from 'preact/hooks'
import { createActionSnippets } from '../snippets/action-snippets.ts'
import type { ActionForm } from '../state/action-form.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { ActionOutcomeView } from './action-outcome.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { focusFirst } from './form-focus.ts'
import { SnippetList } from './snippet-list.tsx'
import { ValueField } from './value-field.tsx'

type FormProps = { readonly form: ActionForm }

const INVALID = '[aria-invalid="true"], [data-invalid="true"] button'

/** Focuses the first input of a new form, and the first wrong value after it was submitted. */
const useFormFocus = ({ rejections }: ActionForm) => {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => focusFirst(element.current), [])
  useEffect(() => {
    if (rejections.value > 0) focusFirst(element.current, INVALID)
  }, [rejections.value])
  return element
}

const FormHeader = ({ form: { source } }: FormProps) => {
  const { id, type, action } = source
  return (
    <header>
      <h3>
        <span class="name">{action.name}</span> <small>of {type === id ? id : `${type} ${id}`}</small>{' '}
        {action.scope !== undefined && <span class="tag scope">{action.scope}</span>}
      </h3>
      {action.description !== undefined && <p class="detail">{action.description}</p>}
    </header>
  )
}

/** The fields of the returned node. */
const ResultFields = ({ form }: FormProps) => (
  <div class="field">
    <div class="field-head">
      <label for="action-fields">fields</label>
      <span class="detail">of the {form.source.action.returns?.join(' or ')} that the action returns</span>
    </div>
    <input
      id="action-fields"
      value={form.fields}
      onInput={({ currentTarget }) => form.setFields(currentTarget.value)}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      placeholder="only its id"
    />
  </div>
)

const FormFields = ({ form }: FormProps) => {
  const { source, drafts, setDrafts, issues } = form
  const { parameters = [], returns } = source.action
  return (
    <>
      {parameters.map(view => (
        <ValueField
          key={view.name}
          view={view}
          label={view.name}
          path={view.name}
          draft={drafts.value[view.name]}
          setDraft={draft => setDrafts({ ...drafts.value, [view.name]: draft })}
          issues={issues.value}
        />
      ))}
      {parameters.length === 0 && <p class="note">The action has no parameters.</p>}
      {returns !== undefined && <ResultFields form={form} />}
    </>
  )
}

const FormButtons = ({ form }: FormProps) => {
  const { actions } = useExplorer()
  return (
    <div class="action-buttons">
      <button type="submit" class="primary" aria-keyshortcuts="Control+Enter Meta+Enter">
        {form.isBusy.value ? 'Running…' : `Run ${form.source.action.name}`}
      </button>
      <button type="button" onClick={actions.closeForm}>
        Close
      </button>
    </div>
  )
}

const FormCode = ({ form }: FormProps) => {
  const { settings, schema } = useExplorer()
  return (
    <div class="action-code">
      <SnippetList
        snippets={createActionSnippets(form.call.value, settings.graphUrl, schema.newestVersion.value)}
      />
    </div>
  )
}

/** Asks before the action deletes or removes something. */
const Confirmation = ({ form }: FormProps) => {
  const { source, isConfirming, run } = form
  const { id, type, action } = source
  if (!isConfirming.value) return null
  return (
    <ConfirmDialog
      title={`Run ${action.name} of ${type} ${id}?`}
      confirmLabel={`Run ${action.name}`}
      confirm={() => void run()}
      close={() => {
        isConfirming.value = false
      }}
    >
      It deletes or removes something, and the page cannot undo it.
    </ConfirmDialog>
  )
}

/** The form of an action: its parameters, the code of its call, and the response. */
export const ActionFormView = ({ form }: FormProps) => {
  const element = useFormFocus(form)
  const submit = (event: Event): void => {
    event.preventDefault()
    // The value of a time of which a part is missing is empty text, so only the browser knows that it is not absent.
    if (element.current?.reportValidity()) void form.submit()
  }
  return (
    <form
      ref={element}
      class="action-form"
      aria-label={form.source.action.name}
      aria-busy={form.isBusy.value}
      noValidate
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      }}
    >
      <FormHeader form={form} />
      <div class="action-columns">
        <div>
          <FormFields form={form} />
          <FormButtons form={form} />
          <ActionOutcomeView form={form} />
        </div>
        <FormCode form={form} />
      </div>
      <Confirmation form={form} />
    </form>
  )
}
