import { createSnippets } from '../snippets/snippets.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { CopyButton } from './copy-button.tsx'

/** The request as code. */
export const CodeView = () => {
  const { settings, request, schema, knownNodes } = useExplorer()
  const { id, ids } = request.target.value
  const { requestedTypes } = knownNodes
  // A call has at most one type.
  const type =
    ids.length > 0 && requestedTypes.value.length === 1
      ? requestedTypes.value[0]
      : knownNodes.nodesById.value.get(id)?.type
  const context = {
    graphUrl: settings.graphUrl,
    type,
    parameters: knownNodes.requestedParameters.value,
    newestVersion: schema.newestVersion.value,
  }
  return (
    <>
      {createSnippets(request.query.value, context).map(({ title, code }) => (
        <section key={title} class="snippet" aria-label={title}>
          <h2>{title}</h2>
          <CopyButton label="Copy" subject={title} text={() => code} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: users scroll long lines with the keyboard */}
          <pre tabIndex={0}>{code}</pre>
        </section>
      ))}
    </>
  )
}
