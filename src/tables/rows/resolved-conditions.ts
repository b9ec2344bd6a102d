import type { NodeId } from '../../base/ids.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Condition } from '../../store/contract.ts'
import type { FieldMapping, ListMapping, TableColumn, TableModel, TypeMapping } from '../model/table-model.ts'
import { type ComparableField, isExact, toComparableField, toComparableTexts } from './comparable-texts.ts'
import type { KeyText } from './key-texts.ts'
import { parseRowId, type RowKey } from './row-ids.ts'

/** The row that a condition is about: the target, or the row that a ref of the target leads to. */
export type Subject = {
  /** The name of the ref. */
  readonly ref: string | undefined
  readonly type: TypeMapping
  /** The columns of the target that are equal to the key of the type. */
  readonly columns: readonly TableColumn[]
}

/** The condition that a field has one of some values, of which there is at least one. */
export type FieldTest = { readonly field: ComparableField; readonly texts: readonly KeyText[] }

/** A condition in terms of tables. */
export type ResolvedCondition = {
  /** Whether its SQL holds exactly if the condition holds. Otherwise, it may also hold for other rows. */
  readonly isExact: boolean
} & (
  | ({ readonly kind: 'field' } & FieldTest)
  | { readonly kind: 'node'; readonly subject: Subject; readonly row: RowKey }
  | {
      readonly kind: 'edge'
      readonly list: ListMapping
      readonly subject: Subject
      /** The row at the other end of the edge. */
      readonly known: RowKey
      readonly isFromKnown: boolean
      /** The conditions about the data of the edge. */
      readonly data: readonly FieldTest[]
    }
)

/** A condition, and its index among those of the range or ref. */
export type IndexedCondition = { readonly index: number; readonly condition: ResolvedCondition }

/** `never` for a condition that holds for no row, and undefined for one that SQL cannot evaluate. */
type Resolved<T> = T | 'never' | undefined

type ConditionOf<TKind extends Condition['kind']> = Extract<Condition, { kind: TKind }>

type Scalar = string | number | boolean

const isScalar = (value: JsonValue): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Returns the scalars that a member of the data may be equal to. No data is equal to an object or an array. */
const scalarsOf = (expected: JsonValue): readonly Scalar[] =>
  (Array.isArray(expected) ? expected : [expected]).filter(isScalar)

const resolveTest = (
  mapping: FieldMapping | undefined,
  constants: readonly Scalar[],
): Resolved<FieldTest> => {
  if (mapping === undefined) return 'never'
  const field = toComparableField(mapping)
  if (field === undefined) return undefined
  const texts = toComparableTexts(field, constants)
  return texts.length === 0 ? 'never' : { field, texts }
}

/**
 * Whether columns find the same texts equal as the key that they refer to. If a key finds `Ada` and `ADA` equal, the id
 * in a ref is `Ada` although its column may contain `ADA`, which other columns may distinguish.
 */
const areComparedAs = (keys: readonly TableColumn[], columns: readonly TableColumn[]): boolean =>
  keys.every((key, index) => {
    const column = columns[index]
    return (
      !key.isInexact || (column?.kind === key.kind && column.isInexact && column.collation === key.collation)
    )
  })

/** A field that is not a ref may have an id as its value all the same, so SQL cannot evaluate a condition about it. */
const resolveSubject = (target: TypeMapping, of: string | undefined): Resolved<Subject> => {
  if (of === undefined) return { ref: undefined, type: target, columns: target.keys }
  const field = target.fields.get(of)
  if (field === undefined) return 'never'
  const isSupported = field.kind === 'ref' && areComparedAs(field.target.keys, field.columns)
  return isSupported ? { ref: of, type: field.target, columns: field.columns } : undefined
}

const resolveField = (
  target: TypeMapping,
  { field, anyOf }: ConditionOf<'field'>,
): Resolved<ResolvedCondition> => {
  const test = resolveTest(target.fields.get(field), anyOf)
  if (test === undefined || test === 'never') return test
  return { kind: 'field', ...test, isExact: isExact(test.field.column) }
}

const resolveNode = (
  model: TableModel,
  target: TypeMapping,
  { of, id }: ConditionOf<'node'>,
): Resolved<ResolvedCondition> => {
  const subject = resolveSubject(target, of)
  if (subject === undefined || subject === 'never') return subject
  const row = parseRowId(model, id)
  if (row?.type !== subject.type) return 'never'
  return { kind: 'node', subject, row, isExact: [...subject.columns, ...row.type.keys].every(isExact) }
}

const resolveData = (list: ListMapping, where: JsonObject): Resolved<readonly FieldTest[]> => {
  const tests: FieldTest[] = []
  for (const [name, expected] of Object.entries(where)) {
    const mapping = list.data.find(field => field.name === name)
    const test = resolveTest(mapping, scalarsOf(expected))
    if (test === undefined || test === 'never') return test
    tests.push(test)
  }
  return tests
}

/** Returns the list that contains an edge between a known row and the subject, if their types have such an edge. */
const findEdgeList = (
  name: string,
  subject: Subject,
  known: RowKey,
  isFromKnown: boolean,
): ListMapping | undefined => {
  const [source, target] = isFromKnown ? [known.type, subject.type] : [subject.type, known.type]
  const list = source.lists.get(name)
  return list?.target === target ? list : undefined
}

const resolveEdge = (
  model: TableModel,
  target: TypeMapping,
  { name, of, from, to, where = {} }: ConditionOf<'edge'>,
): Resolved<ResolvedCondition> => {
  const subject = resolveSubject(target, of)
  if (subject === undefined || subject === 'never') return subject
  const knownId: NodeId | undefined = from ?? to
  const known = knownId === undefined ? undefined : parseRowId(model, knownId)
  const isFromKnown = from !== undefined
  const list = known && findEdgeList(name, subject, known, isFromKnown)
  if (known === undefined || list === undefined) return 'never'
  if (!areComparedAs(subject.type.keys, isFromKnown ? list.targetColumns : list.sourceColumns))
    return undefined
  const data = resolveData(list, where)
  if (data === undefined || data === 'never') return data
  const columns = [
    ...subject.columns,
    ...known.type.keys,
    ...list.sourceColumns,
    ...list.targetColumns,
    ...data.map(({ field }) => field.column),
  ]
  return { kind: 'edge', list, subject, known, isFromKnown, data, isExact: columns.every(isExact) }
}

const resolveCondition = (
  model: TableModel,
  target: TypeMapping,
  condition: Condition,
): Resolved<ResolvedCondition> => {
  switch (condition.kind) {
    case 'field':
      return resolveField(target, condition)
    case 'node':
      return resolveNode(model, target, condition)
    case 'edge':
      return resolveEdge(model, target, condition)
  }
}

/**
 * Returns the conditions of a range or ref in terms of tables, without those that hold for no row. Returns undefined if
 * SQL cannot evaluate one of them.
 */
export const resolveConditions = (
  model: TableModel,
  target: TypeMapping,
  conditions: readonly Condition[],
): readonly IndexedCondition[] | undefined => {
  const resolved: IndexedCondition[] = []
  for (const [index, requested] of conditions.entries()) {
    const condition = resolveCondition(model, target, requested)
    if (condition === undefined) return undefined
    if (condition !== 'never') resolved.push({ index, condition })
  }
  return resolved
}
