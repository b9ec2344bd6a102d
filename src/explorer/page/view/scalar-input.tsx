import { choicesOf } from '../table/list-options.ts'
import { inputAriaOf, inputIdOf, type ValueProps } from './field-frame.tsx'

/** The longest text that has an input of one line. */
const MAX_LINE_LENGTH = 120

const INPUT_ATTRIBUTES = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const

/** Keyboards of numbers may have no sign, so only numbers that cannot be negative have them. */
const inputModeOf = ({ view: { type, min = -1 } }: ValueProps) => {
  if (min < 0) return {}
  if (type === 'int') return { inputMode: 'numeric' } as const
  return type === 'float' ? ({ inputMode: 'decimal' } as const) : {}
}

/** Returns the attributes that all kinds of inputs of a value have. */
const toInputAttributes = (props: ValueProps, issue: string | undefined) => ({
  id: inputIdOf(props.path),
  disabled: props.draft === null,
  value: typeof props.draft === 'string' ? props.draft : '',
  ...inputAriaOf(props, issue),
})

/** The input of a text, a number, a choice or a time. An empty input sends no value. */
export const ScalarInput = ({ issue, ...props }: ValueProps & { readonly issue: string | undefined }) => {
  const { view, setDraft } = props
  const attributes = toInputAttributes(props, issue)
  const set = ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }): void =>
    setDraft(value === '' ? undefined : value)
  const choices = choicesOf({ ...view, name: '' })
  if (choices !== undefined)
    return (
      <select {...attributes} onChange={set}>
        {['', ...choices].map(choice => (
          <option key={choice} value={choice}>
            {choice || (view.required ? 'choose' : 'not sent')}
          </option>
        ))}
      </select>
    )
  if (view.type === 'datetime') return <input {...attributes} type="datetime-local" step="1" onInput={set} />
  if (view.type === 'string' && (view.maxLength ?? MAX_LINE_LENGTH + 1) > MAX_LINE_LENGTH)
    return <textarea {...attributes} rows={2} onInput={set} />
  return <input {...attributes} {...INPUT_ATTRIBUTES} {...inputModeOf(props)} type="text" onInput={set} />
}
