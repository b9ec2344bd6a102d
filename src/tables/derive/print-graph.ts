import { tableNameOf } from '../declare/references.ts'
import { printLine, printName, printText } from '../introspect/print-literal.ts'
import type {
  DerivedBack,
  DerivedCollection,
  DerivedColumnField,
  DerivedGraph,
  DerivedThrough,
  DerivedType,
  LeftOut,
  TableReason,
} from './derived-graph.ts'

const HEADER = `// A first graph over the tables, written once by "npx kithgraph introspect". It is yours: rename, delete and add.
// Only what is named here can be read. Decide:
// - who can see the nodes of each type: without "policy: […]", everyone can;
// - the order of each list: without "by", it is that of the keys. With "by" a column, the largest value is first, and
//   nulls: 'skip' leaves out rows without a value. It needs an index of the columns of the list, the column and the key.`

/** Prints the columns of a key: one name, or several. */
const printColumns = (columns: readonly string[]): string => {
  const [column, second] = columns
  return column !== undefined && second === undefined ? printText(column) : printLine(columns)
}

const printColumnField = ({ name, column, as, isDefault }: DerivedColumnField): string => {
  const options = {
    column: column === name ? undefined : column,
    as,
    default: isDefault || undefined,
  }
  const isPlain = Object.values(options).every(option => option === undefined)
  return `${name}: ${isPlain ? 'true' : printLine(options)}`
}

const printArguments = (...texts: readonly (string | undefined)[]): string =>
  texts.filter(text => text !== undefined && text !== '{}').join(', ')

const printBack = ({ target, columns, sort }: DerivedBack): string =>
  `back(${printArguments(printText(target), printColumns(columns), printLine(sort ?? {}))})`

const printThrough = ({ join, columns, target, targetColumns, sort, fields }: DerivedThrough): string => {
  const fieldTexts = fields.map(printColumnField)
  const options = [
    ...Object.entries(sort ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${printText(value)}`],
    ),
    ...(fieldTexts.length > 0 ? [`fields: { ${fieldTexts.join(', ')} }`] : []),
  ]
  const printedOptions = options.length === 0 ? undefined : `{ ${options.join(', ')} }`
  const names = [printText(join), printColumns(columns), printText(target), printColumns(targetColumns)]
  return `through(${printArguments(...names, printedOptions)})`
}

/** The text of a comment. Names of the database must not end it. */
const printComment = (text: string): string => printText(text).slice(1, -1).replaceAll("\\'", "'")

const printEdge = (edge: DerivedBack | DerivedThrough): string => {
  const declaration = edge.kind === 'back' ? printBack(edge) : printThrough(edge)
  return `        ${edge.name}: ${declaration},\n`
}

const printType = (type: DerivedType, leftOut: readonly LeftOut[]): string => {
  const { name, over, columnFields, refs, edges, deletedColumn } = type
  const table = tableNameOf(over)
  const columns = leftOut.flatMap(left => (left.table === table ? (left.column ?? []) : []))
  const lines = [
    `over: ${typeof over === 'string' ? printText(over) : printLine({ table: over.table, key: over.key })},`,
    deletedColumn &&
      `// Decide whether deleted rows are hidden: where: { ${printComment(printName(deletedColumn))}: null },`,
    columns.length > 0 &&
      `// Left out, because their names suggest secrets or their values are binary: ${printComment(columns.join(', '))}`,
    'fields: {',
    ...columnFields.map(field => `  ${printColumnField(field)},`),
    ...refs.map(ref => `  ${ref.name}: ref(${printText(ref.target)}, ${printColumns(ref.columns)}),`),
    '},',
  ]
  const body = lines.filter(line => typeof line === 'string' && line !== '').map(line => `      ${line}\n`)
  const edgeBody = edges.length === 0 ? '' : `      edges: {\n${edges.map(printEdge).join('')}      },\n`
  return `    ${name}: {\n${body.join('')}${edgeBody}    },\n`
}

const printCollection = ({ name, target, sort }: DerivedCollection): string => {
  const options = printLine(sort ?? {})
  return `      ${name}: collection(${printArguments(printText(target), options)}),\n`
}

const ADVICE = 'to show it, declare over: { table, key } with columns that are unique'

const printReason = (left: TableReason): string => {
  switch (left.reason) {
    case 'noKey':
      return `it has no key; ${ADVICE}`
    case 'keyType':
      return `its key ${printComment(left.key.column)} is of the type ${printComment(left.key.type)}, whose values cannot be ids; ${ADVICE}`
    case 'secret':
      return 'its keys would be in ids, and the name of the key suggests secrets'
  }
}

/** The functions of the declaration that a graph uses. */
const findImports = ({ types, collections }: DerivedGraph): readonly string[] => {
  const edges = types.flatMap(type => type.edges)
  return [
    ...(edges.some(({ kind }) => kind === 'back') ? ['back'] : []),
    ...(collections.length > 0 ? ['collection'] : []),
    'defineTables',
    ...(types.some(({ refs }) => refs.length > 0) ? ['ref'] : []),
    ...(edges.some(({ kind }) => kind === 'through') ? ['through'] : []),
  ]
}

/**
 * Prints the module `graph.ts` with a first graph. `descriptionPath` is the path of `db.ts` in an import.
 */
export const printGraph = (graph: DerivedGraph, descriptionPath: string): string => {
  const { types, collections, viewer, leftOut } = graph
  const tableLines = leftOut.flatMap(left =>
    left.column === undefined
      ? [`// The table ${printComment(left.table)} is left out: ${printReason(left)}.\n`]
      : [],
  )
  const viewers =
    viewer === undefined
      ? ''
      : `    // A guess by the name: decide whose nodes can be viewers.\n    viewers: [${printText(viewer)}],\n`
  return `${HEADER}
import { ${findImports(graph).join(', ')} } from 'kithgraph/tables'
import { db } from ${printText(descriptionPath)}

${tableLines.join('')}export const { schema, tables } = defineTables(
  db,
  {
${types.map(type => printType(type, leftOut)).join('')}  },
  {
${viewers}    // Decide which lists of all nodes there are.
    collections: {
${collections.map(printCollection).join('')}    },
  },
)
`
}
