import { context } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createAsyncContext } from './async-context.ts'

/**
 * Starts an OpenTelemetry SDK that keeps traces and metrics in memory. A service uses exporters that send the
 * data to a collector instead.
 */
export const startTelemetry = () => {
  context.setGlobalContextManager(createAsyncContext().enable())
  const spans = new InMemorySpanExporter()
  const traces = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const metrics = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: points })] })
  return {
    tracer: traces.getTracer('kithgraph'),
    meter: metrics.getMeter('kithgraph'),
    /** Shuts traces and metrics down, and returns the recorded spans and metrics. */
    stop: async () => {
      await metrics.forceFlush()
      const collected = {
        spans: spans.getFinishedSpans(),
        metrics: points
          .getMetrics()
          .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(scope => scope.metrics)),
      }
      await Promise.all([traces.shutdown(), metrics.shutdown()])
      return collected
    },
  }
}
