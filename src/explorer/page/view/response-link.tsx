import type { ComponentChildren } from 'preact'
import type { LinkTarget } from '../response/links.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { printFragment } from '../target/query.ts'
import { parseLink } from '../target/target.ts'

/**
 * A link in a response. A link to the graph opens on this page, or in a new tab if a modifier key is pressed.
 */
export const ResponseLink = ({
  link,
  children,
}: {
  readonly link: LinkTarget
  readonly children: ComponentChildren
}) => {
  const { settings, request, navigation, view } = useExplorer()
  if (link.kind === 'web') {
    return (
      <a href={link.href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    )
  }
  const { path, fields = '', version = request.version.value } = parseLink(link.href, settings.graphUrl)
  return (
    <a
      href={printFragment({ path, fields, version }, request.mode.value)}
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        view.value = 'response'
        void navigation.openPath(link.href)
      }}
    >
      {children}
    </a>
  )
}
