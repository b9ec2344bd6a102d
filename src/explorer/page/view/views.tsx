import type { FunctionComponent } from 'preact'
import { type ExplorerView, useExplorer } from '../state/explorer-state.ts'
import { ActionsView } from './actions-panel.tsx'
import { CodeView } from './code-view.tsx'
import { GraphView } from './graph-view.tsx'
import { HistoryView } from './history-view.tsx'
import { ResponseView } from './response-view.tsx'

type TabView = {
  readonly id: ExplorerView
  readonly title: string
  readonly Panel: FunctionComponent
}

const VIEWS: readonly TabView[] = [
  { id: 'response', title: 'Response', Panel: ResponseView },
  { id: 'graph', title: 'Graph', Panel: GraphView },
  { id: 'code', title: 'Code', Panel: CodeView },
  { id: 'history', title: 'History', Panel: HistoryView },
]
const ACTIONS_VIEW: TabView = { id: 'actions', title: 'Actions', Panel: ActionsView }

/** Returns the index of the tab that a key selects; arrows wrap around at the ends. */
const indexAfterKey = (key: string, index: number, count: number): number | undefined => {
  const indexesByKey: { readonly [key: string]: number | undefined } = {
    ArrowRight: (index + 1) % count,
    ArrowLeft: (index + count - 1) % count,
    Home: 0,
    End: count - 1,
  }
  return indexesByKey[key]
}

/** The views, one at a time. */
export const Views = () => {
  const { view, actions } = useExplorer()
  const views = actions.hasActions.value ? [...VIEWS, ACTIONS_VIEW] : VIEWS
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const next = views[indexAfterKey(event.key, index, views.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    view.value = next.id
    document.getElementById(`tab-${next.id}`)?.focus()
  }
  const current = views.find(({ id }) => id === view.value)
  return (
    <section class="views card" aria-label="Result">
      <div role="tablist" aria-label="Views">
        {views.map(({ id, title }, index) => (
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
            onKeyDown={event => onKeyDown(event, index)}
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
