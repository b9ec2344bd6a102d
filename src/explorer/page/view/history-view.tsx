import { useExplorer } from '../state/explorer-state.ts'
import type { ExplorerResponse } from '../state/response-state.ts'
import { statusClassName } from './class-names.ts'

const HistoryEntry = ({ response }: { readonly response: ExplorerResponse }) => {
  const { navigation, view } = useExplorer()
  const { query, httpResponse } = response
  return (
    <li>
      <button
        type="button"
        onClick={() => {
          navigation.showResponse(response)
          view.value = 'response'
        }}
      >
        <span class={statusClassName(httpResponse.status)}>{httpResponse.status}</span>
        <span class="name">{query.path}</span>
        <span class="detail">{query.fields.replace(/\s+/g, '')}</span>
      </button>
    </li>
  )
}

/** The requests of this tab, newest first. */
export const HistoryView = () => {
  const { responses } = useExplorer()
  const pastResponses = responses.history.value
  if (pastResponses.length === 0) return <p class="empty">Requests are kept here until the tab is closed.</p>
  return (
    <ol class="history">
      {pastResponses.toReversed().map(response => (
        <HistoryEntry key={response.sequenceNumber} response={response} />
      ))}
    </ol>
  )
}
