import { createDraft, isDraftList, isDraftObject } from '../action/draft.ts'
import { formatValue } from '../action/format-value.ts'
import type { FieldIssues } from '../action/read-drafts.ts'
import {
  EmptyChoices,
  FieldFrame,
  FieldIssue,
  inputIdOf,
  RequiredMark,
  type ValueProps,
} from './field-frame.tsx'
import { useListFocus, useObjectFocus } from './form-focus.ts'
import { NodeInput } from './node-input.tsx'
import { ScalarInput } from './scalar-input.tsx'

type FieldProps = ValueProps & { readonly issues: FieldIssues }

const ListItem = ({ remove, ...props }: FieldProps & { readonly remove: () => void }) => (
  <li class="list-item">
    <ValueField {...props} />
    <button type="button" aria-label={`Remove ${props.label}`} onClick={remove}>
      Remove
    </button>
  </li>
)

const ListItems = ({ view, label, path, draft, setDraft, issues }: FieldProps) => {
  const drafts = isDraftList(draft) ? draft : []
  const { list, addButton } = useListFocus(drafts.length)
  const { items, required } = view
  if (items === undefined || draft === null) return null
  const remove = (index: number): void => {
    const others = drafts.toSpliced(index, 1)
    setDraft(others.length === 0 && !required ? undefined : others)
  }
  const add = (): void => setDraft([...drafts, createDraft(items)])
  return (
    <>
      <ol ref={list}>
        {drafts.map((item, index) => (
          <ListItem
            // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other identity
            key={index}
            view={{ ...items, required: true }}
            label={`${label} ${index + 1}`}
            path={`${path}[${index}]`}
            draft={item}
            setDraft={value => setDraft(drafts.with(index, value))}
            issues={issues}
            remove={() => remove(index)}
          />
        ))}
      </ol>
      <button type="button" ref={addButton} aria-label={`Add to ${label}`} onClick={add}>
        Add
      </button>
    </>
  )
}

/** The members of an object, which users add and remove unless it is required. */
const ObjectMembers = ({ view, label, path, draft, setDraft, issues }: FieldProps) => {
  const parts = useObjectFocus(draft)
  if (draft === null) return null
  if (!isDraftObject(draft))
    return (
      <div ref={parts}>
        <button type="button" aria-label={`Add ${label}`} onClick={() => setDraft(createDraft(view))}>
          Add
        </button>
      </div>
    )
  return (
    <div ref={parts}>
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
    </div>
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
