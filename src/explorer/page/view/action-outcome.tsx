import { NO_LEFT_OUT_FIELDS } from '../response/left-out-fields.ts'
import type { ActionForm, ActionOutcome } from '../state/action-form.ts'
import { formatNode } from '../table/cells.ts'
import { ErrorNote } from './error-note.tsx'
import { JsonTree } from './json-tree.tsx'
import { PathLink } from './path-link.tsx'

const Success = ({ outcome, name }: { readonly outcome: ActionOutcome; readonly name: string }) => {
  const { response, nodeId } = outcome
  const { body = null, durationMs } = response
  return (
    <div class="success">
      <p role="status">
        <b class="good">Done</b> in {Math.max(1, Math.round(durationMs))} ms.{' '}
        {nodeId !== undefined && (
          <>
            {name.endsWith('.add') ? 'New node: ' : 'Node: '}
            <PathLink path={nodeId}>{formatNode(body)}</PathLink>
          </>
        )}
      </p>
      <JsonTree value={body} expression={[]} leftOutFields={NO_LEFT_OUT_FIELDS} />
    </div>
  )
}

/** The response to the call of a form: the new node or an error. */
export const ActionOutcomeView = ({ form }: { readonly form: ActionForm }) => {
  const { failureMessage, outcome, source } = form
  if (failureMessage.value !== undefined)
    return (
      <p class="error" role="alert">
        {failureMessage}
      </p>
    )
  if (outcome.value === undefined) return null
  const { error } = outcome.value
  return error === undefined ? (
    <Success outcome={outcome.value} name={source.action.name} />
  ) : (
    <ErrorNote error={error} />
  )
}
