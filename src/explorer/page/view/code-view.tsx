import { createSnippets } from '../snippets/snippets.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { SnippetList } from './snippet-list.tsx'

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
  return <SnippetList snippets={createSnippets(request.query.value, context)} />
}
