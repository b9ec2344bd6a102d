export type { Auth, AuthFailure, AuthResult, UnrecognizedToken } from './access/auth.ts'
export { canSee } from './access/rules/can-see.ts'
export { allOf, anyOf, not } from './access/rules/composed-rules.ts'
export { type EdgeRuleOptions, hasEdgeToViewer, viewerHasEdge } from './access/rules/edge-rules.ts'
export { fieldEquals, hasScope, isViewer, type RuleOptions } from './access/rules/rules.ts'
export type { GrantOptions, SessionOptions } from './access/sessions.ts'
export { createStaticAuth } from './access/static-auth.ts'
export type { TokenInspection } from './access/token-inspection.ts'
export type { RevokeAllOptions, TokenOptions } from './access/tokens.ts'
export type { Awaitable } from './base/awaitable.ts'
export type { ErrorReason } from './base/error-kinds.ts'
export {
  type ErrorData,
  type ErrorEnvelope,
  GraphError,
  isGraphError,
  type OriginalResponse,
} from './base/errors.ts'
export type { IdKind, NodeId, PublicId, RawId } from './base/ids.ts'
export type { JsonObject, JsonValue } from './base/json.ts'
export { type KeyPart, namedId, type ParsedNamedId, parseNamedId } from './base/named-ids.ts'
export type { Session } from './base/session.ts'
export type { DebugMessage } from './core/debug-messages.ts'
export type {
  ActionEvent,
  BadValueCount,
  Denial,
  FilterEvent,
  GraphEvent,
  QueryEvent,
  ReadMethod,
  RuleEvent,
  StoreReadEvent,
} from './core/events.ts'
export { createGraph } from './graph.ts'
export type { AnyGraph, Graph } from './graph-interface.ts'
export type { GraphOptions } from './graph-options.ts'
export type {
  CallOptions,
  ExplainOptions,
  GetEdgeEntryOptions,
  GetEdgeOptions,
  GetEdgesOptions,
  GetMeOptions,
  GetNodeOptions,
  GetNodesOptions,
  HasEdgeOptions,
  IterateEdgeOptions,
  PageLimit,
  Token,
} from './interface/read-options.ts'
export type { EdgeParametersOf, EdgeResultOf, ResultOf } from './interface/result-of.ts'
export type { GraphTokens } from './interface/tokens.ts'
export type { LoadSource } from './interface/writes.ts'
export type { Explanation } from './plan/explain.ts'
export type { LimitOptions, Limits } from './plan/limits.ts'
export {
  type CollectionOptions,
  type CollectionType,
  collection,
} from './schema/collection.ts'
export { defineFieldType, type FieldTypeDefinition } from './schema/define-field-type.ts'
export { defineSchema } from './schema/define-schema.ts'
export {
  type CollectionKey,
  type EdgeOptions,
  type EdgeType,
  type EdgeTypeInfoOf,
  edge,
} from './schema/edge.ts'
export type {
  EdgeResolveContext,
  EdgeResolver,
  ResolvedEntry,
  ResolvedPage,
  ResolvedPageRequest,
} from './schema/edge-resolver.ts'
export type { EntryFilter, FilterEntry } from './schema/entry-filter.ts'
export type {
  EdgeField,
  EdgeTimeField,
  Field,
  FieldOptions,
  FieldResolver,
  ListOptions,
  RefField,
  ResolveContext,
  ValueField,
  ValueOptions,
  WithTypeInfo,
} from './schema/field.ts'
export { field } from './schema/field-builders.ts'
export type { TypedValueField, TypedViewerEdgeField } from './schema/field-inference.ts'
export type { CustomFieldType, FieldType } from './schema/field-type.ts'
export type {
  EdgeInput,
  NodeInput,
  PatchInput,
} from './schema/inference/input.ts'
export type {
  AbsentCondition,
  EdgeCondition,
  IncrementInput,
  LoadRecord,
  Mutation,
  NodeCondition,
} from './schema/inference/mutation.ts'
export type {
  Page,
  PageWithSummary,
  Paging,
  Summary,
  UncertainSummary,
  UntypedNode,
} from './schema/inference/result.ts'
export type { DateInput } from './schema/inference/written-values.ts'
export type { ListOrder, OrderDeclaration, OrderKey, Orders, TimeOrder } from './schema/list-order.ts'
export type { FieldMetadata, Metadata } from './schema/metadata.ts'
export { type NodeDefinition, type NodeType, node } from './schema/node.ts'
export type { ConstantParameters, Parameter, Parameters, ParameterValues } from './schema/parameter.ts'
export { parameter } from './schema/parameter-builders.ts'
export type {
  IdParameterOptions,
  ListParameterOptions,
  NumberParameterOptions,
  ParameterOptions,
  PlainParameterOptions,
  StringParameterOptions,
} from './schema/parameter-options.ts'
export type { Picture, PictureInput } from './schema/picture-type.ts'
export type { Decision, EdgeDataTest, Policy, Rule } from './schema/policy.ts'
export type { PositionKey } from './schema/position-key.ts'
export type { Collections, ExtensionOptions, NodeExtension, Schema, SchemaOptions } from './schema/schema.ts'
export { type SocialSchema, socialSchema } from './schema/social/social-schema.ts'
export type { AgeRange, BirthdayInput } from './schema/time-types.ts'
export type { BatchId, Increment, WriteCondition } from './store/conditional.ts'
export type {
  AheadList,
  AheadRef,
  AheadResult,
  AheadStep,
  CompletionFlag,
  Condition,
  EdgeCheck,
  EdgeEntry,
  EdgeKey,
  EdgePosition,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  ReadAhead,
  Store,
  StoreCapabilities,
  StoreReader,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
  StoreSnapshotOptions,
  StoreWriteOptions,
  TokenRecord,
  WantedFields,
} from './store/contract.ts'
export type { DerivedEntry, EntryKey } from './store/derived-entries.ts'
export type { StoreMutation } from './store/mutations.ts'
export type { WriteResult } from './write/commit.ts'
export type { LoadCounts, LoadOptions } from './write/load.ts'
export type { WriteOptions } from './write/writer.ts'
