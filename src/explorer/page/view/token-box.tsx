import { useSignal } from '@preact/signals'
import { useExplorer } from '../state/explorer-state.ts'

/** The field for the token. The token is kept only in memory and sent only in a header. */
export const TokenBox = () => {
  const { request, navigation } = useExplorer()
  const { token } = request
  const isRevealed = useSignal(false)
  return (
    <div class="control token">
      <label for="token">Token</label>
      <input
        id="token"
        {...(isRevealed.value ? { type: 'text' } : { type: 'password' })}
        value={token}
        onInput={({ currentTarget }) => {
          token.value = currentTarget.value.trim()
        }}
        onKeyDown={({ key, ctrlKey, metaKey }) => {
          if (key === 'Enter' && !ctrlKey && !metaKey) void navigation.run()
        }}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder="Kept only in the memory of this tab"
      />
      <button
        type="button"
        aria-label={isRevealed.value ? 'Hide the token' : 'Show the token'}
        onClick={() => {
          isRevealed.value = !isRevealed.value
        }}
      >
        {isRevealed.value ? 'Hide' : 'Show'}
      </button>
    </div>
  )
}
