import { useSignal } from '@preact/signals'

type CopyProps = {
  readonly label: string
  readonly text: () => string
  readonly doneLabel?: string
  /** The copied content, if the label alone does not name it. */
  readonly subject?: string
}

const MESSAGE_MS = 2000

/** The button that copies a text and shows whether copying succeeded. Only secure pages may copy. */
export const CopyButton = ({ label, text, doneLabel = 'Copied', subject }: CopyProps) => {
  const message = useSignal('')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      message.value = doneLabel
    } catch {
      message.value = 'Copy failed'
    }
    setTimeout(() => {
      message.value = ''
    }, MESSAGE_MS)
  }
  return (
    <>
      <button type="button" aria-label={subject && `${label} ${subject}`} onClick={() => void copy()}>
        {message.value === '' ? label : message.value}
      </button>
      <span class="unseen" role="status">
        {message}
      </span>
    </>
  )
}
