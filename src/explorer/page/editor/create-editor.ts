import {
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Annotation, EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder, tooltips } from '@codemirror/view'
import { createFieldCompletion, type SchemaContextGetter } from './completion.ts'
import { editorTheme } from './editor-theme.ts'
import { highlighting } from './highlighting.ts'
import { selectionReplacement } from './selection-replacement.ts'

/** The inputs and callbacks of an editor. */
export type EditorOptions = {
  readonly parent: ShadowRoot
  readonly label: string
  readonly text: string
  readonly getSchemaContext: SchemaContextGetter
  readonly onTextChange: (text: string) => void
  readonly onRun: () => void
}

/** An editor of an expression. */
export type Editor = {
  /** Replaces the text, unless the new text is the same. */
  readonly setText: (text: string) => void
  readonly setErrors: (errors: readonly Diagnostic[]) => void
  readonly destroy: () => void
}

/** Marks a change that the program made, not the user. */
const externalChange = Annotation.define<boolean>()

const createKeymaps = (onRun: () => void) => {
  const run = (view: EditorView): boolean => {
    if (completionStatus(view.state) !== null) closeCompletion(view)
    onRun()
    return true
  }
  return [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
  ]
}

const createExtensions = ({ label, getSchemaContext, onTextChange, onRun }: EditorOptions) => [
  createKeymaps(onRun),
  history(),
  closeBrackets(),
  bracketMatching(),
  createFieldCompletion(getSchemaContext),
  highlighting,
  selectionReplacement,
  editorTheme,
  tooltips({ position: 'absolute' }),
  placeholder('Leave empty for the default fields. Type names, or select them below.'),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    const isUserChange = !transactions.some(transaction => transaction.annotation(externalChange))
    if (docChanged && isUserChange) onTextChange(state.doc.toString())
  }),
]

/**
 * Creates an editor in a shadow root. In a shadow root, the editor uses style sheets, which a policy against
 * inline styles allows.
 */
export const createEditor = (options: EditorOptions): Editor => {
  const { parent, text } = options
  const view = new EditorView({
    root: parent,
    parent,
    state: EditorState.create({ doc: text, extensions: createExtensions(options) }),
  })
  return {
    setText: newText => {
      const { doc } = view.state
      if (doc.toString() === newText) return
      const changes = { from: 0, to: doc.length, insert: newText }
      view.dispatch({ changes, annotations: externalChange.of(true) })
    },
    setErrors: errors => view.dispatch(setDiagnostics(view.state, errors)),
    destroy: () => view.destroy(),
  }
}
