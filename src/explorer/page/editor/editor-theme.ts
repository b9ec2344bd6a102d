import { EditorView } from '@codemirror/view'

/**
 * The style of the editor. It uses the variables of the page, because no other styles of the page apply in
 * the shadow root.
 */
export const editorTheme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: 'var(--code-size)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', minHeight: '7.5rem', maxHeight: '22rem' },
  '.cm-content': { padding: '0.6rem 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 0.8rem' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.expression-name': { color: 'var(--code-name)' },
  '.expression-modifier': { color: 'var(--code-modifier)' },
  '.expression-number': { color: 'var(--code-number)' },
  '.expression-argument': { color: 'var(--code-string)' },
  '.expression-punctuation': { color: 'var(--muted)' },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
    maxWidth: 'min(24rem, 92vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '15rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.6rem', lineHeight: '1.5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent-text)', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '0.8rem' },
  '.cm-tooltip.cm-completionInfo': { padding: '0.5rem 0.7rem', maxWidth: '18rem', fontFamily: 'var(--sans)' },
  '.cm-diagnostic': { padding: '0.4rem 0.7rem', fontFamily: 'var(--sans)', border: 'none' },
  '.cm-diagnosticAction': {
    color: 'var(--accent-contrast)',
    backgroundColor: 'var(--accent)',
    borderRadius: '5px',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger) 1px',
    textUnderlineOffset: '4px',
  },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--danger)' },
})
