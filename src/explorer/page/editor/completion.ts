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
import type { Place } from '../schema/lookup.ts'

/** What completion knows of the graph when it is asked. */
export type CompletionSource = () => { readonly schema: SchemaView | undefined; readonly place: Place }

/** Puts a call in with the cursor between its parentheses, where its values are proposed. */
const insertCall =
  (insert: string) =>
  (view: EditorView, _: Completion, from: number, to: number): void => {
    const rest = view.state.sliceDoc(to, to + 1) === '(' ? insert.slice(0, -2) : insert
    const anchor = from + insert.length - 1
    view.dispatch({ changes: { from, to, insert: rest }, selection: { anchor }, userEvent: 'input.complete' })
    startCompletion(view)
  }

const completionOf = ({ label, kind, detail, info, insert }: Proposal, place: number): Completion => ({
  label,
  type: kind,
  detail,
  ...(info !== '' && { info }),
  ...(kind === 'modifier' && { apply: insertCall(insert) }),
  // The order of the schema says more than the alphabet.
  boost: -place,
})

/** Proposes what may stand at the cursor, by the types that stand there. */
export const completion = (source: CompletionSource): Extension => {
  const complete = ({ state, pos }: CompletionContext): CompletionResult | null => {
    const { schema, place } = source()
    const found = schema && completionsAt(state.doc.toString(), pos, schema, place)
    if (found === undefined || found.proposals.length === 0) return null
    return {
      from: found.from,
      options: found.proposals.map((proposal, at) => completionOf(proposal, Math.min(at, 99))),
      validFor: /^\w*$/,
    }
  }
  return autocompletion({ override: [complete], icons: false, closeOnBlur: true })
}
