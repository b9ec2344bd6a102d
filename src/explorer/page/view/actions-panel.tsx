import { useExplorer } from '../state/explorer-state.ts'
import { ActionFormView } from './action-form.tsx'

/** The actions of the node or the edge of the request, and the form of the open one. */
export const ActionsPanel = () => {
  const { actions } = useExplorer()
  const form = actions.form.value
  const sources = actions.actions.value
  if (sources.length === 0 && form === undefined) return null
  return (
    <section class="actions" aria-label="Actions">
      <div class="action-list">
        {sources.map(source => {
          const isOpen = form?.source.action.name === source.action.name
          return (
            <button
              key={source.action.name}
              type="button"
              class="name"
              title={source.action.description}
              aria-expanded={isOpen}
              onClick={() => (isOpen ? actions.closeForm() : actions.openForm(source))}
            >
              {source.action.name}
            </button>
          )
        })}
      </div>
      {form !== undefined && <ActionFormView key={form.source.action.name} form={form} />}
    </section>
  )
}

/** The view of the actions next to a query. */
export const ActionsView = () => {
  const { actions } = useExplorer()
  return actions.actions.value.length === 0 && actions.form.value === undefined ? (
    <p class="empty">The path leads to no node or edge with actions.</p>
  ) : (
    <ActionsPanel />
  )
}
