import { findType } from '../schema/lookup.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { printPath } from '../target/target.ts'
import { CopyButton } from './copy-button.tsx'

/** Suggestions for the next path: the node, its edges, and the words of the parameters of the edge. */
const PathSuggestions = () => {
  const { request, schema, knownNodes } = useExplorer()
  const schemaView = schema.schema.value
  const target = request.target.value
  const { id, parameters } = target
  const typeViews = knownNodes.requestedTypes.value.flatMap(
    name => (schemaView && findType(schemaView, name)) ?? [],
  )
  const edgeNames = new Set(typeViews.flatMap(type => type.edges.map(({ name }) => name)))
  const pathsWithWords = knownNodes.requestedParameters.value.flatMap(({ name, words = [] }) => {
    const others = parameters.filter(([otherName]) => otherName !== name)
    return words.map(word => printPath({ ...target, parameters: [...others, [name, word]] }))
  })
  const edgePaths = id === '' ? [] : [...edgeNames].map(edge => `${id}/${edge}`)
  const paths = ['me', ...edgePaths, ...pathsWithWords]
  return (
    <datalist id="paths">
      {paths.map(path => (
        <option key={path} value={path} />
      ))}
    </datalist>
  )
}

/** The path of the request, and its buttons. */
export const PathBar = () => {
  const { request, responses, navigation } = useExplorer()
  return (
    <form
      class="path"
      onSubmit={event => {
        event.preventDefault()
        void navigation.run()
      }}
    >
      <div class="control path-field">
        <label for="path">
          <span class="unseen">Path</span>
          <span aria-hidden="true">GET /{request.version.value && `${request.version.value}/`}</span>
        </label>
        <input
          id="path"
          value={request.path}
          onInput={({ currentTarget }) => {
            request.path.value = currentTarget.value
          }}
          list="paths"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="me, 1056, 1056/friends?limit=5"
        />
        <PathSuggestions />
      </div>
      <button type="submit" class="primary" aria-keyshortcuts="Control+Enter Meta+Enter">
        {responses.isBusy.value ? 'Running…' : 'Run'}
      </button>
      <CopyButton label="Share" doneLabel="Link copied" text={navigation.createShareUrl} />
    </form>
  )
}
