import { NO_LEFT_OUT_FIELDS } from '../response/left-out-fields.ts'
import { type ActionOutcome, isCarriedOut } from '../state/action-calls.ts'
import type { ActionForm } from '../state/action-form.ts'
import { formatNode } from '../table/cells.ts'
import { ErrorNote } from './error-note.tsx'
import { JsonTree } from './json-tree.tsx'
import { PathLink } from './path-link.tsx'

/** The status of an action that was carried out, with a link to its node. */
const DoneLine = ({ outcome, name }: { readonly outcome: ActionOutcome; readonly name: string }) => {
  const { response, error, nodeId } = outcome
  const label = response.body === undefined || error !== undefined ? nodeId : formatNode(response.body)
  return (
    <p role="status">
      <b class="good">Done</b> in {Math.max(1, Math.round(response.durationMs))} ms.{' '}
      {nodeId !== undefined && (
        <>
          {name.endsWith('.add') ? 'New node: ' : 'Node: '}
          <PathLink path={nodeId}>{label}</PathLink>
        </>
      )}
    </p>
  )
}

/** The response to the call of a form: the node or the result, or an error. */
export const ActionOutcomeView = ({ form }: { readonly form: ActionForm }) => {
  const { failureMessage, outcome: currentOutcome, source } = form
  if (failureMessage.value !== undefined)
    return (
      <p class="error" role="alert">
        {failureMessage}
      </p>
    )
  const outcome = currentOutcome.value
  if (outcome === undefined) return null
  const { error, response } = outcome
  return (
    <>
      {isCarriedOut(outcome) && (
        <div class="success">
          <DoneLine outcome={outcome} name={source.action.name} />
          {error === undefined && (
            <JsonTree value={response.body ?? null} expression={[]} leftOutFields={NO_LEFT_OUT_FIELDS} />
          )}
        </div>
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </>
  )
}
