import type { FieldExpression } from '../../../fields/expression.ts'
import type { SchemaView } from '../../schema-view.ts'
import { findItemAt } from '../expression/field-selection.ts'
import { membersOf } from '../schema/lookup.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { selectedItemsOf, toggleColumn } from '../table/columns.ts'

type ColumnChoicesProps = { readonly schema: SchemaView; readonly expression: FieldExpression }

const ColumnChoices = ({ schema, expression }: ColumnChoicesProps) => {
  const { knownNodes, expression: expressionState, navigation } = useExplorer()
  const parent = knownNodes.requestedParent.value
  const items = selectedItemsOf(schema, parent, expression)
  const toggle = (name: string): void => {
    expressionState.replace(toggleColumn(schema, parent, expression, name))
    void navigation.run()
  }
  return (
    <fieldset>
      <legend class="unseen">Fields to show</legend>
      {membersOf(schema, parent)
        .filter(({ kind }) => kind === 'field')
        .map(({ name, view }) => (
          <label key={name} title={view.description}>
            <input
              type="checkbox"
              checked={findItemAt(items, [name]) !== undefined}
              onChange={() => toggle(name)}
            />
            <span class="name">{name}</span>
            {view.scope !== undefined && <span class="tag scope">{view.scope}</span>}
          </label>
        ))}
    </fieldset>
  )
}

/** The fields that a table can show. The selected ones are in the expression of the request. */
export const ColumnPicker = ({ title }: { readonly title: string }) => {
  const { schema, expression } = useExplorer()
  return (
    <details class="columns">
      <summary>{title}</summary>
      {expression.parsed.value === undefined || schema.schema.value === undefined ? (
        <p class="note">Correct the expression of the query first.</p>
      ) : (
        <ColumnChoices schema={schema.schema.value} expression={expression.parsed.value} />
      )}
    </details>
  )
}
