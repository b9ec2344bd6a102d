import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { NodeChoice } from '../action/node-sources.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { inputIdOf, type ValueProps } from './field-frame.tsx'
import { NodePicker, useNodeSources } from './node-picker.tsx'
import { ScalarInput } from './scalar-input.tsx'

/** The state of the lists to pick from. They get the focus when they open, and the button when they close. */
const usePicker = () => {
  const { token } = useExplorer().request
  const isOpen = useSignal(false)
  const picker = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOpen.value) picker.current?.querySelector('select')?.focus()
  }, [isOpen.value])
  useSignalEffect(() => {
    // The viewer of another token may not see the shown nodes.
    void token.value
    isOpen.value = false
  })
  const close = (): void => {
    isOpen.value = false
    button.current?.focus()
  }
  const toggle = (): void => {
    isOpen.value = !isOpen.value
  }
  return { isOpen: isOpen.value, picker, button, close, toggle }
}

/** The input of the id of a node, and the button that opens the lists to pick it from. */
export const NodeInput = ({ issue, ...props }: ValueProps & { readonly issue: string | undefined }) => {
  const { view, label, path, draft, setDraft } = props
  const sources = useNodeSources(view.types ?? [])
  const picked = useSignal<NodeChoice | undefined>(undefined)
  const { isOpen, picker, button, close, toggle } = usePicker()
  const pick = (choice: NodeChoice): void => {
    picked.value = choice
    setDraft(choice.id)
    close()
  }
  const openerProps = { disabled: draft === null, 'aria-expanded': isOpen, 'aria-label': `Pick ${label}` }
  const pickerProps = { sources, label, id: `${inputIdOf(path)}-list`, pick, close }
  return (
    <div ref={picker}>
      <div class="node-input">
        <ScalarInput {...props} issue={issue} />
        {sources.length > 0 && (
          <button type="button" ref={button} {...openerProps} onClick={toggle}>
            Pick
          </button>
        )}
      </div>
      {picked.value !== undefined && picked.value.id === draft && (
        <output class="detail" for={inputIdOf(path)}>
          {picked.value.label}
        </output>
      )}
      {isOpen && <NodePicker {...pickerProps} />}
    </div>
  )
}
