import type { ComponentChildren } from 'preact'
import type { ValueView } from '../../parameter-view.ts'
import { createFirstDraft, type Draft, mayBeEmpty } from '../action/draft.ts'
import { formatValue } from '../action/format-value.ts'

/** A value of a form, and the function that changes it. */
export type ValueProps = {
  readonly view: ValueView
  readonly label: string
  /** The path of the value, such as `tags[0]`. */
  readonly path: string
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
}

/** Returns the id of the input of a value. */
export const inputIdOf = (path: string): string => `value-${path}`

/** The attributes of the input of a value that assistive technology reads. */
export const inputAriaOf = ({ view, path }: ValueProps, issue: string | undefined) => ({
  'aria-required': view.required === true,
  'aria-invalid': issue !== undefined,
  'aria-describedby': `${inputIdOf(path)}-detail ${inputIdOf(path)}-issue`,
})

const Toggle = ({
  label,
  subject,
  isOn,
  toggle,
}: {
  readonly label: string
  readonly subject: string
  readonly isOn: boolean
  readonly toggle: (isOn: boolean) => void
}) => (
  <label class="toggle">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => toggle(currentTarget.checked)} />
    {label}
    <span class="unseen"> for {subject}</span>
  </label>
)

/** The choices between a value that is not sent, an empty value and `null`. */
export const EmptyChoices = ({ view, draft, setDraft, label }: ValueProps) => {
  const empty = view.type === 'list' ? [] : ''
  const isEmpty = draft === '' || (Array.isArray(draft) && draft.length === 0)
  return (
    <>
      {mayBeEmpty(view) && (isEmpty || draft === undefined) && (
        <Toggle
          subject={label}
          label={`empty ${view.type === 'list' ? 'list' : 'text'}`}
          isOn={isEmpty}
          toggle={isOn => setDraft(isOn ? empty : undefined)}
        />
      )}
      {view.nullable && (
        <Toggle
          subject={label}
          label="null"
          isOn={draft === null}
          toggle={isOn => setDraft(isOn ? null : createFirstDraft(view))}
        />
      )}
    </>
  )
}

/** The mark of a value that must be given. Inputs have `aria-required`. */
export const RequiredMark = ({ view }: Pick<ValueProps, 'view'>) =>
  view.required ? (
    <span class="required" aria-hidden="true">
      *
    </span>
  ) : null

/** What is wrong with a value. */
export const FieldIssue = ({
  path,
  issue,
}: Pick<ValueProps, 'path'> & { readonly issue: string | undefined }) => (
  <p class="bad" id={`${inputIdOf(path)}-issue`}>
    {issue}
  </p>
)

/** The label of an input, its valid values, the input, and what is wrong with its value. */
export const FieldFrame = ({
  children,
  issue,
  ...props
}: ValueProps & { readonly issue: string | undefined; readonly children: ComponentChildren }) => (
  <div class="field">
    <div class="field-head">
      <label for={inputIdOf(props.path)}>{props.label}</label>
      <RequiredMark view={props.view} />
      <span class="detail" id={`${inputIdOf(props.path)}-detail`}>
        {formatValue(props.view)}
      </span>
      <EmptyChoices {...props} />
    </div>
    {children}
    <FieldIssue path={props.path} issue={issue} />
  </div>
)
