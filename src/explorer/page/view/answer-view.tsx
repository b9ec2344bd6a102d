import { clipped } from '../answer/clipped.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { CopyButton } from './copy-button.tsx'
import { FaultNote } from './fault-note.tsx'
import { Figures } from './figures.tsx'
import { JsonTree } from './json-tree.tsx'
import { statusClass } from './status-class.ts'

/** What is no JSON is shown for a look alone. */
const MOST_TEXT = 20_000

/** What came back. */
export const AnswerView = () => {
  const { answers } = useExplorer()
  const answer = answers.shown.value
  const failure = answers.failure.value
  if (failure !== undefined) {
    return (
      <p class="fault" role="alert" aria-busy={answers.busy.value}>
        {failure}
      </p>
    )
  }
  if (answer === undefined) {
    return (
      <p class="empty">
        {answers.busy.value ? 'No answer yet.' : 'Nothing has been asked yet. Enter a token, and run.'}
      </p>
    )
  }
  const { exchange, fault, plan, number } = answer
  return (
    <div aria-busy={answers.busy.value}>
      <div class="status">
        <ul class="figures" aria-label="Response">
          <li class={statusClass(exchange.status)}>{exchange.status}</li>
          <li>{Math.max(1, Math.round(exchange.milliseconds))} ms</li>
        </ul>
        {plan.value !== undefined && <Figures class="" plan={plan.value} />}
        <CopyButton
          label="Copy"
          what="the answer"
          text={() => (exchange.body === undefined ? exchange.text : JSON.stringify(exchange.body, null, 2))}
        />
      </div>
      {fault !== undefined && <FaultNote fault={fault} />}
      {exchange.body === undefined ? (
        <pre>{clipped(exchange.text, MOST_TEXT)}</pre>
      ) : (
        <JsonTree key={number} value={exchange.body} expression={answer.expression} />
      )}
    </div>
  )
}
