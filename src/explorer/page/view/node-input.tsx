import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { NodeChoice } from '../action/node-sources.ts'
import { inputIdOf, type ValueProps } from './field-frame.tsx'
import { NodePicker, useNodeSources } from './node-picker.tsx'
import { ScalarInput } from './scalar-input.tsx'

/** The input of the id of a node, and the button that opens the lists to pick it from. */
export const NodeInput = ({ issue, ...props }: ValueProps & { readonly issue: string | undefined }) => {
  const { view, label, path, draft, setDraft } = props
  const sources = useNodeSources(view.types ?? [])
  const isOpen = useSignal(false)
  const picked = useSignal<NodeChoice | undefined>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    isOpen.value = false
    button.current?.focus()
  }
  const pick = (choice: NodeChoice): void => {
    picked.value = choice
    setDraft(choice.id)
    close()
  }
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen.value) panel.current?.querySelector('select')?.focus()
  }, [isOpen.value])
  return (
    <div ref={panel}>
      <div class="node-input">
        <ScalarInput {...props} issue={issue} />
        {sources.length > 0 && (
          <button
            type="button"
            ref={button}
            disabled={draft === null}
            aria-expanded={isOpen.value}
            aria-label={`Pick ${label}`}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            Pick
          </button>
        )}
      </div>
      {picked.value !== undefined && picked.value.id === draft && (
        <output class="detail" for={inputIdOf(path)}>
          {picked.value.label}
        </output>
      )}
      {isOpen.value && (
        <NodePicker
          sources={sources}
          label={label}
          id={`${inputIdOf(path)}-list`}
          pick={pick}
          close={close}
        />
      )}
    </div>
  )
}
