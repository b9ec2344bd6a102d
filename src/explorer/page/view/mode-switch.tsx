import { useExplorer } from '../state/explorer-state.ts'
import type { PageMode } from '../target/query.ts'

const MODES: readonly (readonly [PageMode, string])[] = [
  ['table', 'Table'],
  ['query', 'Query'],
]

/** The switch between the table and the query, which show the same request. */
export const ModeSwitch = () => {
  const { request, navigation } = useExplorer()
  return (
    <fieldset class="switch">
      <legend class="unseen">View of the request</legend>
      {MODES.map(([mode, label]) => (
        <label key={mode}>
          <input
            type="radio"
            name="mode"
            checked={request.mode.value === mode}
            onChange={() => navigation.setMode(mode)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
