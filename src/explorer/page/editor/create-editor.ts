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
import { type CompletionSource, completion } from './completion.ts'
import { editorTheme } from './editor-theme.ts'
import { highlighting } from './highlighting.ts'
import { replacing } from './replacing.ts'

/** What an editor is told and asked. */
export type EditorOptions = {
  readonly parent: ShadowRoot
  readonly label: string
  readonly text: string
  readonly source: CompletionSource
  readonly onText: (text: string) => void
  readonly onRun: () => void
}

/** An editor of an expression. */
export type Editor = {
  /** Puts a text in place of the one that is there, unless it is the same. */
  readonly setText: (text: string) => void
  readonly setFaults: (faults: readonly Diagnostic[]) => void
  readonly destroy: () => void
}

/** Marks a change that came from elsewhere. */
const fromOutside = Annotation.define<boolean>()

const keysOf = (onRun: () => void) => {
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

/** Opens an editor in a shadow root: there its styles are sheets that a policy against inline styles lets pass. */
export const createEditor = ({ parent, label, text, source, onText, onRun }: EditorOptions): Editor => {
  const view = new EditorView({
    root: parent,
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keysOf(onRun),
        history(),
        closeBrackets(),
        bracketMatching(),
        completion(source),
        highlighting,
        replacing,
        editorTheme,
        tooltips({ position: 'absolute' }),
        placeholder('The default fields. Write names, or tick them below.'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const isOwn = !transactions.some(transaction => transaction.annotation(fromOutside))
          if (docChanged && isOwn) onText(state.doc.toString())
        }),
      ],
    }),
  })
  return {
    setText: next => {
      const { doc } = view.state
      if (doc.toString() === next) return
      const changes = { from: 0, to: doc.length, insert: next }
      view.dispatch({ changes, annotations: fromOutside.of(true) })
    },
    setFaults: faults => view.dispatch(setDiagnostics(view.state, faults)),
    destroy: () => view.destroy(),
  }
}
