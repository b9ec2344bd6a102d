export { createHandler, type Handler } from './create-handler.ts'
export type {
  CorsOptions,
  HandlerOptions,
  RateLimiter,
  RateLimitUsage,
  RequestLimitOptions,
  RequestLimits,
} from './handler-options.ts'
export { toNodeListener } from './node-listener.ts'
export type { NodeRequest, NodeResponse, NodeResponseHeaders } from './node-messages.ts'
export type { WireRequest, WireResponse } from './wire.ts'
