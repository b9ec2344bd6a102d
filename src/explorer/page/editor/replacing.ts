import { EditorView } from '@codemirror/view'

/**
 * Replaces selected text before the browser does: Chromium gives what replaces coloured text the same colour by an inline
 * style, which a policy against these refuses and reports.
 */
export const replacing = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data, inputType, isComposing } = event
    const { from, to, empty } = view.state.selection.main
    if (inputType !== 'insertText' || data === null || isComposing || empty) return false
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: data },
        selection: { anchor: from + data.length },
        userEvent: 'input.type',
        scrollIntoView: true,
      })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some(handle => handle(view, from, to, data, insert))) view.dispatch(insert())
    event.preventDefault()
    return true
  },
})
