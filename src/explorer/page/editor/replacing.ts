import { EditorView } from '@codemirror/view'

/** What is about to be replaced: the browser's selection may be ahead of the editor's own. */
const replacedIn = (view: EditorView): { readonly from: number; readonly to: number } => {
  const selection = document.getSelection()
  // Older browsers do not tell what is selected in a shadow root.
  if (!(view.root instanceof ShadowRoot) || selection?.getComposedRanges === undefined)
    return view.state.selection.main
  const [range] = selection.getComposedRanges({ shadowRoots: [view.root] })
  if (range === undefined || !view.contentDOM.contains(range.startContainer)) return view.state.selection.main
  return {
    from: view.posAtDOM(range.startContainer, range.startOffset),
    to: view.posAtDOM(range.endContainer, range.endOffset),
  }
}

/**
 * Replaces selected text before the browser does: Chromium gives what replaces coloured text the same colour by an inline
 * style, which a policy against these refuses and reports.
 */
export const replacing = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data, inputType, isComposing } = event
    if (inputType !== 'insertText' || data === null || isComposing) return false
    const { from, to } = replacedIn(view)
    if (from >= to) return false
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
