import type { Signal } from '@preact/signals'

/** The button that opens and closes a part of a tree. */
export const TwistButton = ({
  isOpen,
  label,
}: {
  readonly isOpen: Signal<boolean>
  readonly label: string
}) => (
  <button
    type="button"
    class="twist"
    aria-expanded={isOpen.value}
    aria-label={label}
    onClick={() => {
      isOpen.value = !isOpen.value
    }}
  />
)
