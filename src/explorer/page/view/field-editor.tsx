import type { Diagnostic } from '@codemirror/lint'
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { createEditor, type Editor } from '../editor/create-editor.ts'
import { type ExplorerState, useExplorer } from '../state/explorer-state.ts'

/** The fault of the expression as the editor underlines it; a word that was meant can be put in at once. */
const diagnosticsOf = ({ request, expression }: ExplorerState): readonly Diagnostic[] => {
  const fault = expression.fault.value
  if (fault === undefined) return []
  const text = request.fields.value
  const actions = fault.suggestions.map(suggestion => ({
    name: suggestion,
    apply: (
      view: Parameters<NonNullable<Diagnostic['actions']>[number]['apply']>[0],
      from: number,
      to: number,
    ) => view.dispatch({ changes: { from, to, insert: suggestion }, userEvent: 'input' }),
  }))
  return [{ from: 0, to: text.length, ...fault.range, severity: 'error', message: fault.message, actions }]
}

const keepInStep = (editor: Editor, state: ExplorerState): (() => void) => {
  const stops = [
    effect(() => editor.setText(state.request.fields.value)),
    effect(() => editor.setFaults(diagnosticsOf(state))),
    () => editor.destroy(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The editor of the field expression. */
export const FieldEditor = () => {
  const state = useExplorer()
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return
    const { request, schema, nodes, journey } = state
    const editor = createEditor({
      parent: host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }),
      label: 'Fields',
      text: request.fields.peek(),
      source: () => ({ schema: schema.schema.peek(), place: nodes.place.peek() }),
      onText: text => {
        request.fields.value = text
      },
      onRun: () => void journey.run(),
    })
    return keepInStep(editor, state)
  }, [state])
  return <div class="editor" ref={host} />
}
