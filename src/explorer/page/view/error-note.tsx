import type { ErrorDetails } from '../response/error-details.ts'

type DetailProps = { readonly name: string; readonly children: string | undefined }

/** A detail that not every error has. */
const Detail = ({ name, children }: DetailProps) =>
  children === undefined ? null : (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )

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
      <Detail name="Failure">{error.failure}</Detail>
      <Detail name="Data">{error.data}</Detail>
      <dt>Trace id</dt>
      <dd>{error.traceId}</dd>
    </dl>
  </div>
)
