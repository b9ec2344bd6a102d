import { useSignal } from '@preact/signals'
import type { FieldExpression } from '../../../fields/expression.ts'
import { itemAt, tick, untick } from '../expression/ticks.ts'
import { leadsOn, type Member, membersAt, type Place, placeAt } from '../schema/lookup.ts'
import { useExplorer } from '../state/explorer-state.ts'

type LevelProps = {
  readonly place: Place
  readonly path: readonly string[]
  /** The expression as it was when it could last be read. */
  readonly expression: FieldExpression
}

const detailOf = ({ kind, view }: Member): string =>
  kind === 'edge' ? `→ ${view.targets.join(', ')}` : view.type

const Tags = ({ member, isDefault }: { readonly member: Member; readonly isDefault: boolean }) => (
  <>
    <span class="detail">{detailOf(member)}</span>
    {isDefault && member.kind === 'field' && member.view.isDefault && <span class="tag">default</span>}
    {member.view.scope !== undefined && <span class="tag scope">{member.view.scope}</span>}
    {member.kind === 'field' && member.view.deprecated !== undefined && <span class="tag">deprecated</span>}
  </>
)

const Branch = ({ member, place, path, expression }: LevelProps & { readonly member: Member }) => {
  const { schema, expression: state } = useExplorer()
  const item = itemAt(expression, path)
  const isOpen = useSignal(item?.fields !== undefined)
  const view = schema.schema.value
  const id = `field-${path.join('-')}`
  return (
    <li>
      <div class="branch">
        {leadsOn(member) ? (
          <button
            type="button"
            class="twist"
            aria-expanded={isOpen.value}
            aria-label={`Fields of ${path.join(' ')}`}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          />
        ) : (
          <span class="twist" />
        )}
        <input
          type="checkbox"
          id={id}
          checked={item !== undefined}
          disabled={state.parsed.value === undefined}
          onChange={() => state.replace((item === undefined ? tick : untick)(expression, path))}
        />
        <label for={id} title={member.view.description}>
          <span class="name">{member.name}</span>
          <Tags member={member} isDefault={place.edge === undefined || path.length === 1} />
        </label>
      </div>
      {isOpen.value && view !== undefined && (
        <Level place={placeAt(view, place, [member.name])} path={path} expression={expression} />
      )}
    </li>
  )
}

const Level = ({ place, path, expression }: LevelProps) => {
  const { schema } = useExplorer()
  const view = schema.schema.value
  return (
    <ul>
      {view !== undefined &&
        membersAt(view, place).map(member => (
          <Branch
            key={member.name}
            member={member}
            place={place}
            path={[...path, member.name]}
            expression={expression}
          />
        ))}
    </ul>
  )
}

/** All that can be asked for at the place of the request: ticks and the text are two views of one expression. */
export const FieldTree = () => {
  const { nodes, expression } = useExplorer()
  const readable = useSignal<FieldExpression>([])
  if (expression.parsed.value !== undefined) readable.value = expression.parsed.value
  const { types } = nodes.place.value
  if (types.length === 0) return null
  return (
    <section class="tree card" aria-label="Field tree">
      <h2>
        {types.join(' or ')}
        {expression.parsed.value === undefined && <small>The expression has to be mended first.</small>}
      </h2>
      <Level place={nodes.place.value} path={[]} expression={readable.value} key={types.join()} />
    </section>
  )
}
