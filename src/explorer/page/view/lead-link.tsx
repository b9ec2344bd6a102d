import type { ComponentChildren } from 'preact'
import type { Lead } from '../answer/links.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { toFragment } from '../target/query.ts'
import { readPath } from '../target/target.ts'

/** A link of an answer: one of the graph opens here, or in a tab of its own where the browser is asked for that. */
export const LeadLink = ({
  lead,
  children,
}: {
  readonly lead: Lead
  readonly children: ComponentChildren
}) => {
  const { settings, request, journey, view } = useExplorer()
  if (lead.kind === 'web') {
    return (
      <a href={lead.to} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    )
  }
  const { path, fields = '', version = request.version.value } = readPath(lead.to, settings.graphUrl)
  return (
    <a
      href={toFragment({ path, fields, version })}
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        view.value = 'answer'
        void journey.open(lead.to)
      }}
    >
      {children}
    </a>
  )
}
