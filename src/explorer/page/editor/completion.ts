import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { SchemaView } from '../../schema-view.ts'
import { completionsAt, type Proposal } from '../expression/completions-at.ts'
import type { ExpressionParent } from '../schema/lookup.ts'

/** Returns the schema and the root of the expression. Called for every completion. */
export type SchemaContextGetter = () => {
  readonly schema: SchemaView | undefined
  readonly parent: ExpressionParent
}

/** Inserts a call and moves the cursor between the parentheses, so that the editor suggests values. */
const createCallInserter =
  (callText: string) =>
  (view: EditorView, _: Completion, from: number, to: number): void => {
    const insertedText = view.state.sliceDoc(to, to + 1) === '(' ? callText.slice(0, -2) : callText
    const anchor = from + callText.length - 1
    view.dispatch({
      changes: { from, to, insert: insertedText },
      selection: { anchor },
      userEvent: 'input.complete',
    })
    startCompletion(view)
  }

const toCompletion = ({ label, kind, detail, info, insertText }: Proposal, index: number): Completion => ({
  label,
  type: kind,
  detail,
  ...(info !== '' && { info }),
  ...(kind === 'modifier' && { apply: createCallInserter(insertText) }),
  ...(kind === 'value' && { apply: insertText }),
  // The order of the schema is more useful than alphabetical order.
  boost: -index,
})

/** Suggests completions at the cursor, according to the types at that position. */
export const createFieldCompletion = (getSchemaContext: SchemaContextGetter): Extension => {
  const complete = ({ state, pos }: CompletionContext): CompletionResult | null => {
    const { schema, parent } = getSchemaContext()
    const result = schema && completionsAt(state.doc.toString(), pos, schema, parent)
    if (result === undefined || result.proposals.length === 0) return null
    return {
      from: result.from,
      options: result.proposals.map((proposal, at) => toCompletion(proposal, Math.min(at, 99))),
      validFor: /^\w*$/,
    }
  }
  return autocompletion({ override: [complete], icons: false, closeOnBlur: true })
}
