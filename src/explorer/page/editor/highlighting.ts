import { RangeSetBuilder } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { scan, type Token } from '../expression/scan.ts'

const classOf = ({ kind, text }: Token): string => {
  if (kind !== 'argument') return `expression-${kind}`
  return /^-?\d+$/.test(text.trim()) ? 'expression-number' : 'expression-argument'
}

const decorationsOf = (view: EditorView): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>()
  for (const token of scan(view.state.doc.toString()).tokens) {
    builder.add(token.from, token.to, Decoration.mark({ class: classOf(token) }))
  }
  return builder.finish()
}

class Highlighter {
  decorations: DecorationSet

  constructor(view: EditorView) {
    this.decorations = decorationsOf(view)
  }

  update({ docChanged, view }: ViewUpdate): void {
    if (docChanged) this.decorations = decorationsOf(view)
  }
}

/** Colours the parts of an expression: texts are small enough to be read anew at every change. */
export const highlighting = ViewPlugin.fromClass(Highlighter, {
  decorations: ({ decorations }) => decorations,
})
