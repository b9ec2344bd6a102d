import { useExplorer } from '../state/explorer-state.ts'
import { CopyButton } from './copy-button.tsx'
import { FaultNote } from './fault-note.tsx'
import { Figures } from './figures.tsx'
import { JsonTree } from './json-tree.tsx'

/** What came back. */
export const AnswerView = () => {
  const { answers } = useExplorer()
  const answer = answers.shown.value
  const failure = answers.failure.value
  if (failure !== undefined) {
    return (
      <p class="fault" role="alert">
        No answer came: {failure}. Is the graph served where the page looks for it, and does it let this page
        in?
      </p>
    )
  }
  if (answer === undefined) return <p class="empty">Nothing has been asked yet. Enter a token, and run.</p>
  const { exchange, fault, plan, number } = answer
  return (
    <div aria-busy={answers.busy.value}>
      <div class="status">
        <ul class="figures" aria-label="Response">
          <li class={fault === undefined ? 'good' : 'bad'}>{exchange.status}</li>
          <li>{Math.max(1, Math.round(exchange.milliseconds))} ms</li>
        </ul>
        {plan !== undefined && <Figures class="" plan={plan} />}
        <CopyButton
          label="Copy"
          what="the answer"
          text={() => (exchange.body === undefined ? exchange.text : JSON.stringify(exchange.body, null, 2))}
        />
      </div>
      {fault !== undefined && <FaultNote fault={fault} />}
      {exchange.body === undefined ? (
        <pre>{exchange.text}</pre>
      ) : (
        <JsonTree key={number} value={exchange.body} expression={answer.expression} />
      )}
    </div>
  )
}
