import { type Meter, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { QueryEvent, ReadEvent, WaveEvent } from 'kithgraph'

/** What `onRead` takes: spans under whatever span is active, and metrics. */
export const recordReads = (tracer: Tracer, meter: Meter): ((event: ReadEvent) => void) => {
  const durations = meter.createHistogram('graph.query.duration', { unit: 'ms' })
  const waves = meter.createHistogram('graph.query.waves')
  const reads = meter.createHistogram('graph.wave.duration', { unit: 'ms' })
  const faults = meter.createCounter('graph.faults')
  const denials = meter.createCounter('graph.denials')
  const broken = meter.createCounter('graph.rule_threw')

  /** Events tell of what has ended, so that a span begins in the past. */
  const startSpan = (name: string, duration: number) => {
    const now = Date.now()
    const span = tracer.startSpan(name, { startTime: now - duration })
    return { span, end: () => span.end(now) }
  }

  const recordWave = ({ method, duration, nodes, ranges, tests, tokens }: WaveEvent): void => {
    reads.record(duration, { method })
    const { span, end } = startSpan('graph.wave', duration)
    span.setAttributes({ method, nodes, ranges, tests, tokens })
    end()
  }

  const recordQuery = ({ method, duration, fault, traceId, ...query }: QueryEvent): void => {
    durations.record(duration, { method, fault: fault ?? 'none' })
    waves.record(query.waves, { method })
    for (const { rule, count } of query.denials) denials.add(count, { rule })
    const { span, end } = startSpan(`graph.${method}`, duration)
    span.setAttributes({ 'graph.method': method, 'graph.waves': query.waves })
    if (fault !== undefined) {
      faults.add(1, { method, reason: fault })
      // By the trace id, which the client has as `fbtrace_id`, the fault that somebody reports is found.
      span
        .setAttributes({ 'graph.trace_id': traceId ?? '' })
        .setStatus({ code: SpanStatusCode.ERROR, message: fault })
    }
    end()
  }

  return event => {
    if (event.kind === 'wave') recordWave(event)
    else if (event.kind === 'query') recordQuery(event)
    else broken.add(1, { rule: event.rule })
  }
}
