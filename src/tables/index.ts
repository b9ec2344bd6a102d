export { back, collection, through } from './declare/create-lists.ts'
export type { TablesOptions, TypeDeclaration, TypeDeclarations } from './declare/declaration.ts'
export {
  type ColumnFieldDeclaration,
  type ColumnFieldOptions,
  type ColumnForm,
  type JsonType,
  json,
  type RefDeclaration,
  ref,
  type TableFieldDeclaration,
} from './declare/fields.ts'
export type {
  BackDeclaration,
  BackEdge,
  BackOptions,
  CollectionOf,
  CountDeclaration,
  TableCollection,
  TableCollectionOptions,
  TableEdgeDeclaration,
  TableListOptions,
  TableOrder,
  TableOrderDeclaration,
  ThroughDeclaration,
  ThroughEdge,
  ThroughOptions,
} from './declare/lists.ts'
export type { ColumnNames, TableReference } from './declare/references.ts'
export {
  fromParameter,
  fromSession,
  type ListWhere,
  notNull,
  type ParameterValue,
  type SessionValue,
  type Where,
  type WhereConstant,
  type WhereValue,
} from './declare/where.ts'
export { type DefinedTables, defineTables, type Tables } from './define-tables.ts'
export type {
  ColumnDescription,
  DatabaseDescription,
  Dialect,
  ForeignKeyDescription,
  IndexDescription,
  TableDescription,
} from './description/database-description.ts'
export type { SettingsFunction } from './postgres/session-settings.ts'
export { createTableStore, type TableStoreOptions } from './table-store.ts'
