import { type Meter, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { GraphEvent, QueryEvent, StoreReadEvent } from 'kithgraph'

/**
 * Creates a function for `onEvent` that records metrics, and creates spans as children of the active span.
 */
export const recordEvents = (tracer: Tracer, meter: Meter): ((event: GraphEvent) => void) => {
  const durations = meter.createHistogram('graph.query.duration', { unit: 'ms' })
  const readCounts = meter.createHistogram('graph.query.reads')
  const readDurations = meter.createHistogram('graph.read.duration', { unit: 'ms' })
  const errorCounter = meter.createCounter('graph.errors')
  const denials = meter.createCounter('graph.denials')
  const brokenRules = meter.createCounter('graph.rule_threw')
  const brokenFilters = meter.createCounter('graph.filter_threw')

  /**
   * Starts a span with a start time in the past, because events are sent after the read or query has ended.
   */
  const startSpan = (name: string, duration: number) => {
    const now = Date.now()
    const span = tracer.startSpan(name, { startTime: now - duration })
    return { span, end: () => span.end(now) }
  }

  const recordRead = ({ method, durationMs, nodes, ranges, checks, tokens }: StoreReadEvent): void => {
    readDurations.record(durationMs, { method })
    const { span, end } = startSpan('graph.read', durationMs)
    span.setAttributes({ method, nodes, ranges, checks, tokens })
    end()
  }

  const recordQuery = ({ method, durationMs, reason, traceId, ...query }: QueryEvent): void => {
    durations.record(durationMs, { method, reason: reason ?? 'none' })
    readCounts.record(query.reads, { method })
    for (const { rule, count } of query.denials) denials.add(count, { rule })
    const { span, end } = startSpan(`graph.${method}`, durationMs)
    span.setAttributes({ 'graph.method': method, 'graph.reads': query.reads })
    if (reason !== undefined) {
      errorCounter.add(1, { method, reason })
      // Clients receive the trace id as `fbtrace_id`, and can include it in bug reports.
      span
        .setAttributes({ 'graph.trace_id': traceId ?? '' })
        .setStatus({ code: SpanStatusCode.ERROR, message: reason })
    }
    end()
  }

  return event => {
    if (event.kind === 'read') recordRead(event)
    else if (event.kind === 'query') recordQuery(event)
    else if (event.kind === 'rule') brokenRules.add(1, { rule: event.rule })
    else if (event.kind === 'filter') brokenFilters.add(1, { type: event.type, edge: event.edge })
  }
}
