import { useSignal } from '@preact/signals'

type CopyProps = {
  readonly label: string
  readonly text: () => string
  readonly done?: string
  /** What is copied, where the label alone does not tell. */
  readonly what?: string
}

const SHOWN_FOR = 2000

/** Copies a text, and says whether that could be done: only secure pages may. */
export const CopyButton = ({ label, text, done = 'Copied', what }: CopyProps) => {
  const outcome = useSignal('')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      outcome.value = done
    } catch {
      outcome.value = 'Not allowed here'
    }
    setTimeout(() => {
      outcome.value = ''
    }, SHOWN_FOR)
  }
  return (
    <>
      <button type="button" aria-label={what && `${label} ${what}`} onClick={() => void copy()}>
        {outcome.value === '' ? label : outcome.value}
      </button>
      <span class="unseen" role="status">
        {outcome}
      </span>
    </>
  )
}
