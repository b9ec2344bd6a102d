import { truncateText } from '../response/display-limits.ts'
import type { ExplorerResponse } from '../state/explorer-response.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { statusClassName } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import { ErrorNote } from './error-note.tsx'
import { JsonTree } from './json-tree.tsx'
import { PlanFigures } from './plan-figures.tsx'

/** The maximum number of characters that are shown of a response that is not JSON. */
const MAX_TEXT_LENGTH = 20_000

/** The status of a response, its plan, and the button that copies the response. */
const ResponseStatus = ({ httpResponse, plan }: ExplorerResponse) => (
  <div class="status">
    <ul class="figures" aria-label="Status">
      <li class={statusClassName(httpResponse.status)}>{httpResponse.status}</li>
      <li>{Math.max(1, Math.round(httpResponse.durationMs))} ms</li>
    </ul>
    {plan.value !== undefined && <PlanFigures plan={plan.value} scopes={[]} />}
    <CopyButton
      label="Copy"
      subject="the response"
      text={() =>
        httpResponse.body === undefined ? httpResponse.text : JSON.stringify(httpResponse.body, null, 2)
      }
    />
  </div>
)

/** The response. */
export const ResponseView = () => {
  const { responses } = useExplorer()
  const response = responses.shownResponse.value
  const failure = responses.failureMessage.value
  if (failure !== undefined) {
    return (
      <p class="error" role="alert" aria-busy={responses.isBusy.value}>
        {failure}
      </p>
    )
  }
  if (response === undefined) {
    return (
      <p class="empty">
        {responses.isBusy.value
          ? 'Waiting for the response.'
          : 'No response yet. Enter a token, and select Run.'}
      </p>
    )
  }
  const { httpResponse, error, sequenceNumber } = response
  return (
    <div aria-busy={responses.isBusy.value}>
      <ResponseStatus {...response} />
      {error !== undefined && <ErrorNote error={error} />}
      {httpResponse.body === undefined ? (
        <pre>{truncateText(httpResponse.text, MAX_TEXT_LENGTH)}</pre>
      ) : (
        <JsonTree
          key={sequenceNumber}
          value={httpResponse.body}
          expression={response.expression}
          leftOutFields={response.leftOutFields.value}
        />
      )}
    </div>
  )
}
