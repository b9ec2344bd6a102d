import type { FunctionComponent } from 'preact'
import { useExplorer, type View } from '../state/explorer-state.ts'
import { AnswerView } from './answer-view.tsx'
import { CodeView } from './code-view.tsx'
import { GraphView } from './graph-view.tsx'
import { HistoryView } from './history-view.tsx'

const VIEWS: readonly { readonly id: View; readonly title: string; readonly Panel: FunctionComponent }[] = [
  { id: 'answer', title: 'Answer', Panel: AnswerView },
  { id: 'graph', title: 'Graph', Panel: GraphView },
  { id: 'code', title: 'Code', Panel: CodeView },
  { id: 'history', title: 'History', Panel: HistoryView },
]

/** How far a key goes from one tab to another; to the ends and around them. */
const placeAfterKey = (key: string, place: number): number | undefined => {
  const places: { readonly [key: string]: number | undefined } = {
    ArrowRight: (place + 1) % VIEWS.length,
    ArrowLeft: (place + VIEWS.length - 1) % VIEWS.length,
    Home: 0,
    End: VIEWS.length - 1,
  }
  return places[key]
}

/** What can be looked at, one at a time. */
export const Views = () => {
  const { view } = useExplorer()
  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    const next = VIEWS[placeAfterKey(event.key, place) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    view.value = next.id
    document.getElementById(`tab-${next.id}`)?.focus()
  }
  const current = VIEWS.find(({ id }) => id === view.value)
  return (
    <section class="views card" aria-label="Result">
      <div role="tablist" aria-label="Views">
        {VIEWS.map(({ id, title }, place) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={view.value === id}
            aria-controls="view"
            tabIndex={view.value === id ? 0 : -1}
            onClick={() => {
              view.value = id
            }}
            onKeyDown={event => onKeyDown(event, place)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="view" aria-labelledby={`tab-${view.value}`} class={`view-${view.value}`}>
        {current && <current.Panel />}
      </div>
    </section>
  )
}
