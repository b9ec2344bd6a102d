import { useEffect, useRef } from 'preact/hooks'
import { createDraft, isDraftList, isDraftObject } from '../action/draft.ts'
import type { FieldIssues } from '../action/read-drafts.ts'
import {
  EmptyChoices,
  FieldFrame,
  FieldIssue,
  formatValue,
  inputIdOf,
  RequiredMark,
  type ValueProps,
} from './field-frame.tsx'
import { NodeInput } from './node-input.tsx'
import { ScalarInput } from './scalar-input.tsx'

type FieldProps = ValueProps & { readonly issues: FieldIssues }

const FOCUSABLE = 'input:not([type="checkbox"]), select, textarea, button'

/** The items of a list. A new item gets the focus, and the button after an item is removed. */
const ListItems = ({ view, label, path, draft, setDraft, issues }: FieldProps) => {
  const list = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const drafts = isDraftList(draft) ? draft : []
  const shownCount = useRef(drafts.length)
  useEffect(() => {
    if (drafts.length > shownCount.current)
      list.current?.querySelector(':scope > :last-child')?.querySelector<HTMLElement>(FOCUSABLE)?.focus()
    else if (drafts.length < shownCount.current) addButton.current?.focus()
    shownCount.current = drafts.length
  }, [drafts.length])
  const { items } = view
  if (items === undefined || draft === null) return null
  const itemView = { ...items, required: true } as const
  const remove = (index: number): void => {
    const others = drafts.toSpliced(index, 1)
    setDraft(others.length === 0 && !view.required ? undefined : others)
  }
  return (
    <>
      <ol ref={list}>
        {drafts.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other identity, and its inputs have no state
          <li key={index} class="list-item">
            <ValueField
              view={itemView}
              label={`${label} ${index + 1}`}
              path={`${path}[${index}]`}
              draft={item}
              setDraft={value => setDraft(drafts.with(index, value))}
              issues={issues}
            />
            <button type="button" aria-label={`Remove ${label} ${index + 1}`} onClick={() => remove(index)}>
              Remove
            </button>
          </li>
        ))}
      </ol>
      <button
        type="button"
        ref={addButton}
        aria-label={`Add to ${label}`}
        onClick={() => setDraft([...drafts, createDraft(items)])}
      >
        Add
      </button>
    </>
  )
}

/** The members of an object, which users add and remove unless it is required. */
const ObjectMembers = ({ view, label, path, draft, setDraft, issues }: FieldProps) => {
  if (draft === null) return null
  if (!isDraftObject(draft))
    return (
      <button type="button" aria-label={`Add ${label}`} onClick={() => setDraft(createDraft(view))}>
        Add
      </button>
    )
  return (
    <>
      {view.members?.map(member => (
        <ValueField
          key={member.name}
          view={member}
          label={member.name}
          path={`${path}.${member.name}`}
          draft={draft[member.name]}
          setDraft={value => setDraft({ ...draft, [member.name]: value })}
          issues={issues}
        />
      ))}
      {!view.required && (
        <button type="button" aria-label={`Remove ${label}`} onClick={() => setDraft(undefined)}>
          Remove
        </button>
      )}
    </>
  )
}

/** The inputs of a value of any type. */
export const ValueField = (props: FieldProps) => {
  const { view, label, path, issues } = props
  const issue = issues.get(path)
  if (view.type === 'list' || view.type === 'object') {
    const Parts = view.type === 'list' ? ListItems : ObjectMembers
    return (
      <fieldset
        class="field"
        aria-describedby={`${inputIdOf(path)}-issue`}
        data-invalid={issue !== undefined}
      >
        <legend>
          {label}
          <RequiredMark view={view} /> <span class="detail">{formatValue(view)}</span>
        </legend>
        <EmptyChoices {...props} />
        <Parts {...props} />
        <FieldIssue path={path} issue={issue} />
      </fieldset>
    )
  }
  const Input = view.type === 'node' ? NodeInput : ScalarInput
  return (
    <FieldFrame {...props} issue={issue}>
      <Input {...props} issue={issue} />
    </FieldFrame>
  )
}
