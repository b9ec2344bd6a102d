import type { ErrorDetails } from '../response/error-details.ts'

/** Shows an error with its details, and a `limit` that would succeed, if there is one. */
export const ErrorNote = ({ error }: { readonly error: ErrorDetails }) => (
  <div class="error" role="alert">
    <p>{error.message}</p>
    {error.fittingLimit !== undefined && error.fittingLimit > 0 && (
      <p>
        The request succeeds with <code>limit({error.fittingLimit})</code> on every edge.
      </p>
    )}
    <dl>
      <dt>Type</dt>
      <dd>{error.type}</dd>
      <dt>Code</dt>
      <dd>
        {error.code}
        {error.subcode !== undefined && `/${error.subcode}`}
      </dd>
      <dt>Reason</dt>
      <dd>{error.reason}</dd>
      <dt>Trace id</dt>
      <dd>{error.traceId}</dd>
    </dl>
  </div>
)
