import { RangeSetBuilder } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { type ExpressionToken, scanExpression } from '../expression/scan.ts'

const cssClassOf = ({ kind, text }: ExpressionToken): string => {
  if (kind !== 'argument') return `expression-${kind}`
  return /^-?\d+$/.test(text.trim()) ? 'expression-number' : 'expression-argument'
}

const createDecorations = (view: EditorView): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>()
  for (const token of scanExpression(view.state.doc.toString()).tokens) {
    builder.add(token.from, token.to, Decoration.mark({ class: cssClassOf(token) }))
  }
  return builder.finish()
}

class Highlighter {
  decorations: DecorationSet

  constructor(view: EditorView) {
    this.decorations = createDecorations(view)
  }

  update({ docChanged, view }: ViewUpdate): void {
    if (docChanged) this.decorations = createDecorations(view)
  }
}

/** Highlights the parts of an expression. Expressions are short enough to scan them after every change. */
export const highlighting = ViewPlugin.fromClass(Highlighter, {
  decorations: ({ decorations }) => decorations,
})
