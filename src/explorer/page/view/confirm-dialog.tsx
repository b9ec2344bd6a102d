import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A dialog that asks users to confirm something. The Escape key cancels it. */
export const ConfirmDialog = ({
  title,
  confirmLabel,
  confirm,
  cancel,
  children,
}: {
  readonly title: string
  readonly confirmLabel: string
  readonly confirm: () => void
  readonly cancel: () => void
  readonly children: ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // A closed dialog gives the focus back to the element that had it.
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} class="confirm" aria-label={title} onCancel={cancel}>
      <p>
        <b>{title}</b>
      </p>
      <p>{children}</p>
      <div class="action-buttons">
        <button type="button" onClick={cancel}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={confirm}>
          {confirmLabel}
        </button>
      </div>
    </dialog>
  )
}
