import { useSignal } from '@preact/signals'
import type { FieldExpression } from '../../../fields/expression.ts'
import { deselectField, findItemAt, selectField } from '../expression/field-selection.ts'
import {
  type ExpressionParent,
  hasSubfields,
  type MemberView,
  membersOf,
  parentAt,
} from '../schema/lookup.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { TwistButton } from './twist-button.tsx'

type FieldLevelProps = {
  readonly parent: ExpressionParent
  readonly path: readonly string[]
  /** The last valid expression. */
  readonly expression: FieldExpression
}

const detailOf = ({ kind, view }: MemberView): string =>
  kind === 'edge' ? `→ ${view.targets.join(', ')}` : view.type

const FieldLabel = ({
  id,
  member,
  isDefault,
}: {
  readonly id: string
  readonly member: MemberView
  readonly isDefault: boolean
}) => (
  <label for={id} title={member.view.description}>
    <span class="name">{member.name}</span>
    <span class="detail">{detailOf(member)}</span>
    {isDefault && member.kind === 'field' && member.view.isDefault && <span class="tag">default</span>}
    {member.view.scope !== undefined && <span class="tag scope">{member.view.scope}</span>}
    {member.kind === 'field' && member.view.deprecated !== undefined && <span class="tag">deprecated</span>}
  </label>
)

const FieldBranch = ({
  member,
  parent,
  path,
  expression,
}: FieldLevelProps & { readonly member: MemberView }) => {
  const { schema, expression: expressionState } = useExplorer()
  const item = findItemAt(expression, path)
  const isOpen = useSignal(item?.fields !== undefined)
  const schemaView = schema.schema.value
  const id = `field-${path.join('-')}`
  return (
    <li>
      <div class="branch">
        {hasSubfields(member) ? (
          <TwistButton isOpen={isOpen} label={`Fields of ${path.join(' ')}`} />
        ) : (
          <span class="twist" />
        )}
        <input
          type="checkbox"
          id={id}
          checked={item !== undefined}
          disabled={expressionState.parsed.value === undefined}
          onChange={() =>
            expressionState.replace((item === undefined ? selectField : deselectField)(expression, path))
          }
        />
        <FieldLabel id={id} member={member} isDefault={parent.edge === undefined || path.length === 1} />
      </div>
      {isOpen.value && schemaView !== undefined && (
        <FieldLevel
          parent={parentAt(schemaView, parent, [member.name])}
          path={path}
          expression={expression}
        />
      )}
    </li>
  )
}

const FieldLevel = ({ parent, path, expression }: FieldLevelProps) => {
  const { schema } = useExplorer()
  const schemaView = schema.schema.value
  return (
    <ul>
      {schemaView !== undefined &&
        membersOf(schemaView, parent).map(member => (
          <FieldBranch
            key={member.name}
            member={member}
            parent={parent}
            path={[...path, member.name]}
            expression={expression}
          />
        ))}
    </ul>
  )
}

/**
 * All fields and edges that the request can select. The checkboxes and the editor show the same expression.
 */
export const FieldTree = () => {
  const { knownNodes, expression } = useExplorer()
  const lastParsed = useSignal<FieldExpression>([])
  if (expression.parsed.value !== undefined) lastParsed.value = expression.parsed.value
  const { types } = knownNodes.requestedParent.value
  if (types.length === 0) return null
  return (
    <section class="tree card" aria-label="Field tree">
      <h2>
        {types.join(' or ')}
        {expression.parsed.value === undefined && <small>Correct the expression above first.</small>}
      </h2>
      <FieldLevel
        parent={knownNodes.requestedParent.value}
        path={[]}
        expression={lastParsed.value}
        key={types.join()}
      />
    </section>
  )
}
