import { useExplorer } from '../state/explorer-state.ts'

/** The version of the requests. */
export const VersionSelector = () => {
  const { request, schema } = useExplorer()
  const versions = schema.schema.value?.versions ?? []
  return (
    <div class="control">
      <label for="version">Version</label>
      <select
        id="version"
        value={request.version.value}
        onChange={({ currentTarget }) => {
          request.version.value = currentTarget.value
        }}
      >
        {versions.toReversed().map(version => (
          <option key={version}>{version}</option>
        ))}
      </select>
    </div>
  )
}
