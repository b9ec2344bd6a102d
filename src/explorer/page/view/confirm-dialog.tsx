import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type ConfirmProps = {
  readonly title: string
  readonly confirmLabel: string
  readonly confirm: () => void
  /** Hides the dialog. Called also after `confirm`. */
  readonly close: () => void
  readonly children: ComponentChildren
}

/** A dialog that asks users to confirm something. The Escape key cancels it. */
export const ConfirmDialog = ({ title, confirmLabel, confirm, close, children }: ConfirmProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  /** Gives the focus back to the element that had it, before the dialog is removed. */
  const closeDialog = (): void => dialog.current?.close()
  const confirmAndClose = (): void => {
    closeDialog()
    confirm()
  }
  return (
    <dialog ref={dialog} class="confirm" aria-label={title} onClose={close}>
      <p>
        <b>{title}</b>
      </p>
      <p>{children}</p>
      <div class="action-buttons">
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={confirmAndClose}>
          {confirmLabel}
        </button>
      </div>
    </dialog>
  )
}
