import type { Answer } from '../state/answer-state.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { statusClass } from './status-class.ts'

const Entry = ({ answer }: { readonly answer: Answer }) => {
  const { journey, view } = useExplorer()
  const { query, exchange } = answer
  return (
    <li>
      <button
        type="button"
        onClick={() => {
          journey.show(answer)
          view.value = 'answer'
        }}
      >
        <span class={statusClass(exchange.status)}>{exchange.status}</span>
        <span class="name">{query.path}</span>
        <span class="detail">{query.fields.replace(/\s+/g, '')}</span>
      </button>
    </li>
  )
}

/** What this tab asked, newest first. */
export const HistoryView = () => {
  const { answers } = useExplorer()
  const past = answers.past.value
  if (past.length === 0) return <p class="empty">What you ask is kept here until the tab is closed.</p>
  return (
    <ol class="history">
      {past.toReversed().map(answer => (
        <Entry key={answer.number} answer={answer} />
      ))}
    </ol>
  )
}
