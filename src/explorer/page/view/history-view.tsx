import { useExplorer } from '../state/explorer-state.ts'
import type { HistoryEntry } from '../state/history-state.ts'
import { statusClassName } from './class-names.ts'

const HistoryItem = ({ entry }: { readonly entry: HistoryEntry }) => {
  const { navigation, view } = useExplorer()
  const { query, status } = entry
  return (
    <li>
      <button
        type="button"
        onClick={() => {
          view.value = 'response'
          void navigation.openEntry(entry)
        }}
      >
        <span class={statusClassName(status)}>{status}</span>
        <span class="name">{query.path}</span>
        <span class="detail">{query.fields.replace(/\s+/g, '')}</span>
      </button>
    </li>
  )
}

/** The requests so far, newest first. */
export const HistoryView = () => {
  const { history } = useExplorer()
  const entries = history.entries.value
  if (entries.length === 0) return <p class="empty">No requests yet. Your requests are listed here.</p>
  return (
    <>
      <ol class="history">
        {entries.toReversed().map(entry => (
          <HistoryItem key={entry.key} entry={entry} />
        ))}
      </ol>
      <div class="history-bar">
        <p class="note">This browser stores the requests, but no tokens and no responses.</p>
        <button type="button" onClick={history.clear}>
          Clear
        </button>
      </div>
    </>
  )
}
