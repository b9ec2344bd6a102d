import type { Fault } from '../answer/fault.ts'

/** A fault in words. */
export const FaultNote = ({ fault }: { readonly fault: Fault }) => (
  <div class="fault" role="alert">
    <p>{fault.message}</p>
    {fault.fits !== undefined && fault.fits > 0 && (
      <p>
        With <code>limit({fault.fits})</code> on every edge it would fit.
      </p>
    )}
    <dl>
      <dt>Type</dt>
      <dd>{fault.type}</dd>
      <dt>Code</dt>
      <dd>
        {fault.code}
        {fault.subcode !== undefined && `/${fault.subcode}`}
      </dd>
      <dt>Reason</dt>
      <dd>{fault.reason}</dd>
      <dt>Trace id</dt>
      <dd>{fault.traceId}</dd>
    </dl>
  </div>
)
