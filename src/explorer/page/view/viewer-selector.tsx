import { useExplorer } from '../state/explorer-state.ts'

const OTHER_TOKEN = 'Other token'

/** The choice of a viewer whose token the page has. Not shown if the page has none. */
export const ViewerSelector = () => {
  const { settings, request, navigation } = useExplorer()
  const viewers = [...settings.viewers]
  if (viewers.length === 0) return null
  const selected = viewers.findIndex(([, token]) => token === request.token.value)
  return (
    <div class="control">
      <label for="viewer">Viewer</label>
      <select
        id="viewer"
        value={selected}
        onChange={({ currentTarget }) => {
          request.token.value = viewers[Number(currentTarget.value)]?.[1] ?? ''
          if (request.token.value !== '') void navigation.run()
        }}
      >
        <option value={-1}>{OTHER_TOKEN}</option>
        {viewers.map(([name], index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
