import type { Diagnostic } from '@codemirror/lint'
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { createEditor, type Editor } from '../editor/create-editor.ts'
import { type ExplorerState, useExplorer } from '../state/explorer-state.ts'

/** Creates the diagnostics of the editor, which underline the error. The user can insert a suggested word. */
const createDiagnostics = ({ expression }: ExplorerState): readonly Diagnostic[] => {
  const error = expression.error.value
  // An error without a position may be about the path.
  if (error?.range === undefined) return []
  const actions = error.suggestions.map(suggestion => ({
    name: suggestion,
    apply: (
      view: Parameters<NonNullable<Diagnostic['actions']>[number]['apply']>[0],
      from: number,
      to: number,
    ) => view.dispatch({ changes: { from, to, insert: suggestion }, userEvent: 'input' }),
  }))
  return [{ ...error.range, severity: 'error', message: error.message, actions }]
}

const syncEditor = (editor: Editor, state: ExplorerState): (() => void) => {
  const cleanups = [
    effect(() => editor.setText(state.request.fields.value)),
    effect(() => editor.setErrors(createDiagnostics(state))),
    () => editor.destroy(),
  ]
  return () => {
    for (const stop of cleanups) stop()
  }
}

/** The editor of the field expression. */
export const FieldEditor = () => {
  const state = useExplorer()
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return
    const { request, schema, knownNodes, navigation } = state
    const editor = createEditor({
      parent: host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }),
      label: 'Fields',
      text: request.fields.peek(),
      getSchemaContext: () => ({ schema: schema.schema.peek(), parent: knownNodes.requestedParent.peek() }),
      onTextChange: text => {
        request.fields.value = text
      },
      onRun: () => void navigation.run(),
    })
    return syncEditor(editor, state)
  }, [state])
  return <div class="editor" ref={host} />
}
