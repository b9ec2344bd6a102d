import type { JsonValue } from '../../../base/json.ts'
import type { FieldExpression, FieldItem } from '../../../fields/expression.ts'
import { nodeIdOf } from '../response/json.ts'
import type { LeftOutFields } from '../response/left-out-fields.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { formatText, memberOf, toCellParts } from '../table/cells.ts'
import { columnsOf, findLinkKey } from '../table/columns.ts'
import { PathLink } from './path-link.tsx'
import { ResponseLink } from './response-link.tsx'

/** The data of a table: the selected items of the request, and the fields that the response leaves out. */
export type TableData = {
  readonly items: FieldExpression
  /** The expression of the request, for the parameters of nested edges. */
  readonly expression: FieldExpression
  readonly leftOutFields: LeftOutFields
}

type CellProps = Omit<TableData, 'items'> & { readonly node: JsonValue; readonly item: FieldItem }

const CellContent = ({ node, item: { key }, expression, leftOutFields }: CellProps) => {
  const { graphUrl } = useExplorer().settings
  const scope = leftOutFields.get(node)?.find(field => field.key === key)?.scope
  if (scope !== undefined) return <span class="detail">left out: scope {scope} is required</span>
  const parts = toCellParts(memberOf(node, key), { parent: node, key, expression }, graphUrl)
  return (
    <>
      {parts.map(({ text, link }, index) => (
        <span key={link?.href ?? text}>
          {index > 0 && ', '}
          {link === undefined ? text : <ResponseLink link={link}>{text}</ResponseLink>}
        </span>
      ))}
    </>
  )
}

/** The cell that identifies the row, and links to its node. */
const RowHeader = (cell: CellProps) => {
  const { node, item } = cell
  const id = nodeIdOf(node)
  const value = memberOf(node, item.key)
  const text = typeof value === 'string' && value !== '' ? formatText(value) : id
  return (
    <th scope="row">
      {id === undefined ? <CellContent {...cell} /> : <PathLink path={id}>{text}</PathLink>}
    </th>
  )
}

/** The nodes of a page, one per row. */
export const NodeTable = ({
  nodes,
  label,
  items,
  ...data
}: TableData & { readonly nodes: readonly JsonValue[]; readonly label: string }) => {
  const columns = columnsOf(items)
  const linkKey = findLinkKey(items)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: users scroll wide tables with the keyboard
    <section class="table-scroll" aria-label="Rows of the table" tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key }) => (
              <th key={key} scope="col">
                {key}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes.map((node, index) => (
            <tr key={nodeIdOf(node) ?? index}>
              {columns.map(item =>
                item.key === linkKey ? (
                  <RowHeader key={item.key} node={node} item={item} {...data} />
                ) : (
                  <td key={item.key}>
                    <CellContent node={node} item={item} {...data} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The fields of one node, one per row. */
export const NodeFields = ({
  node,
  label,
  items,
  ...data
}: TableData & { readonly node: JsonValue; readonly label: string }) => (
  <table class="node-fields" aria-label={label}>
    <tbody>
      {items.map(item => (
        <tr key={item.key}>
          <th scope="row">{item.key}</th>
          <td>
            <CellContent node={node} item={item} {...data} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
