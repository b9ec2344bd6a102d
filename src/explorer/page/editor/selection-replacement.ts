import { EditorView } from '@codemirror/view'

/** Returns the range that is about to be replaced. The browser's selection may be newer than the editor's. */
const findReplacedRange = (view: EditorView): { readonly from: number; readonly to: number } => {
  const selection = document.getSelection()
  // Older browsers do not report the selection in a shadow root.
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
 * Replaces selected text before the browser does. Chromium would colour the replacement with an inline style,
 * which a policy against inline styles blocks and reports.
 */
export const selectionReplacement = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data, inputType, isComposing } = event
    if (inputType !== 'insertText' || data === null || isComposing) return false
    const { from, to } = findReplacedRange(view)
    if (from >= to) return false
    const createTransaction = () =>
      view.state.update({
        changes: { from, to, insert: data },
        selection: { anchor: from + data.length },
        userEvent: 'input.type',
        scrollIntoView: true,
      })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some(handler => handler(view, from, to, data, createTransaction)))
      view.dispatch(createTransaction())
    event.preventDefault()
    return true
  },
})
