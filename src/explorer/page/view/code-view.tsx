import { snippetsOf } from '../snippets/snippets.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { CopyButton } from './copy-button.tsx'

/** The request as code. */
export const CodeView = () => {
  const { settings, request, schema, nodes } = useExplorer()
  const { id, ids } = request.target.value
  const { types } = nodes
  // A call takes one type.
  const type = ids.length > 0 && types.value.length === 1 ? types.value[0] : nodes.known.value.get(id)?.type
  const context = { graphUrl: settings.graphUrl, type, newest: schema.newest.value }
  return (
    <>
      {snippetsOf(request.query.value, context).map(({ title, code }) => (
        <section key={title} class="snippet" aria-label={title}>
          <h2>{title}</h2>
          <CopyButton label="Copy" what={title} text={() => code} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
          <pre tabIndex={0}>{code}</pre>
        </section>
      ))}
    </>
  )
}
