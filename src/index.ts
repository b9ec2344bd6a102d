export type { Auth, Refusal, Verdict } from './access/auth.ts'
export { allOf, anyOf, not } from './access/rules/composed-rules.ts'
export { hasEdgeToViewer, viewerHasEdge } from './access/rules/edge-rules.ts'
export { fieldEquals } from './access/rules/field-equals.ts'
export { hasScope } from './access/rules/has-scope.ts'
export { isViewer } from './access/rules/is-viewer.ts'
export type { RuleOptions } from './access/rules/subject.ts'
export type { SessionRequest } from './access/sessions.ts'
export { createStaticAuth } from './access/static-auth.ts'
export type { TokenInspection, TokenRequest } from './access/tokens.ts'
export type { Awaitable } from './base/awaitable.ts'
export {
  type FaultData,
  type FaultEnvelope,
  type FaultReason,
  GraphError,
  isGraphError,
} from './base/faults.ts'
export type { NodeId } from './base/ids.ts'
export type { JsonObject, JsonValue } from './base/json.ts'
export type { Session } from './base/session.ts'
export type { Token } from './execute/call-options.ts'
export type { Message } from './execute/message.ts'
export type {
  BadValueCount,
  Denial,
  QueryEvent,
  ReadEvent,
  ReadMethod,
  RuleEvent,
  WaveEvent,
} from './execute/read-event.ts'
export { createGraph } from './graph.ts'
export type { Graph, UntypedGraph } from './graph-interface.ts'
export type { GraphOptions } from './graph-options.ts'
export type { Explanation } from './plan/explain.ts'
export type { Limits } from './plan/limits.ts'
export { defineFieldType, type FieldTypeDefinition } from './schema/define-field-type.ts'
export { defineSchema } from './schema/define-schema.ts'
export { type EdgeOptions, type EdgeOrder, type EdgeType, edge } from './schema/edge.ts'
export type {
  Field,
  FieldOptions,
  ListOptions,
  Resolve,
  ResolveContext,
  ValueOptions,
} from './schema/field.ts'
export { field } from './schema/field-builders.ts'
export type { CountedPage, LooseNode, Page, Paging, Summary } from './schema/inference/answer.ts'
export type { FieldMetadata, Metadata } from './schema/metadata.ts'
export { type NodeDefinition, type NodeType, node } from './schema/node.ts'
export type { Decision, Policy, Rule } from './schema/policy.ts'
export type { NodeChanges, Schema, SchemaOptions } from './schema/schema.ts'
export { socialSchema } from './schema/social/social-schema.ts'
export type {
  EdgeEntry,
  EdgePosition,
  EdgeRange,
  EdgeRecord,
  EdgeSlice,
  EdgeTest,
  Mutation,
  NodeRecord,
  ReadOptions,
  Store,
  StoreCapabilities,
  StoreReader,
  StoreSnapshot,
  TokenRecord,
  Wave,
  WaveAnswer,
} from './store/contract.ts'
export type { LoadCounts, LoadOptions } from './write/load.ts'
