import { context } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createAsyncContext } from './async-context.ts'

/** Traces and metrics that are kept in memory, to be printed. A service gives exporters that send them to its collector. */
export const startTelemetry = () => {
  context.setGlobalContextManager(createAsyncContext().enable())
  const spans = new InMemorySpanExporter()
  const traces = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const metrics = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: points })] })
  return {
    tracer: traces.getTracer('kithgraph'),
    meter: metrics.getMeter('kithgraph'),
    /** Ends both, and answers what was told by then. */
    stop: async () => {
      await metrics.forceFlush()
      const told = {
        spans: spans.getFinishedSpans(),
        metrics: points
          .getMetrics()
          .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(scope => scope.metrics)),
      }
      await Promise.all([traces.shutdown(), metrics.shutdown()])
      return told
    },
  }
}
