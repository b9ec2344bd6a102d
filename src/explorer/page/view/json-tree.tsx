import { useSignal } from '@preact/signals'
import type { FieldExpression } from '../../../fields/expression.ts'
import { isRecord, type Json } from '../answer/json.ts'
import { expressionBelow, leadOfKey, leadOfValue } from '../answer/links.ts'
import { shouldOpen } from '../answer/should-open.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { LeadLink } from './lead-link.tsx'

type RowProps = {
  readonly name: string
  readonly value: Json
  readonly parent: Json | undefined
  readonly depth: number
  /** What was asked of the object that the row is of. */
  readonly expression: FieldExpression
}

const AT_ONCE = 100

const kindOf = (value: Json): string => (value === null ? 'null' : typeof value)

const Scalar = ({ name, value, parent, expression }: RowProps) => {
  const { graphUrl } = useExplorer().settings
  const lead = leadOfValue(value, { parent, key: name, expression }, graphUrl)
  const text = JSON.stringify(value)
  return (
    <span class={`json-${kindOf(value)}`}>
      {lead === undefined ? text : <LeadLink lead={lead}>{text}</LeadLink>}
    </span>
  )
}

const Key = ({ name, value, parent, expression }: RowProps) => {
  const lead = leadOfKey(value, { parent, key: name, expression })
  if (name === '' || Array.isArray(parent)) return null
  return (
    <span class="json-key">
      {lead === undefined ? name : <LeadLink lead={lead}>{name}</LeadLink>}
      <span class="json-mark">: </span>
    </span>
  )
}

const Members = ({ name, value, parent, depth, expression }: RowProps) => {
  const shown = useSignal(AT_ONCE)
  const members = Object.entries(value ?? {})
  // The entries of a page and the items of a list are asked what the page was.
  const isSame = name === '' || name === 'data' || Array.isArray(value) || Array.isArray(parent)
  const below = isSame ? expression : expressionBelow(expression, name)
  return (
    <ul>
      {members.slice(0, shown.value).map(([key, member]) => (
        <Row key={key} name={key} value={member} parent={value} depth={depth + 1} expression={below} />
      ))}
      {members.length > shown.value && (
        <li>
          <button
            type="button"
            onClick={() => {
              shown.value += AT_ONCE
            }}
          >
            {members.length - shown.value} more
          </button>
        </li>
      )}
    </ul>
  )
}

const Container = (row: RowProps) => {
  const { name, value, depth } = row
  const isOpen = useSignal(shouldOpen(name, value, depth))
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const count = Object.keys(value ?? {}).length
  if (count === 0) {
    return (
      <li>
        <Key {...row} />
        <span class="json-mark">{open + close}</span>
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        class="twist"
        aria-expanded={isOpen.value}
        aria-label={`${name === '' ? 'Answer' : name}, ${count}`}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      />
      <Key {...row} />
      <span class="json-mark">{isOpen.value ? open : `${open} ${count} ${close}`}</span>
      {isOpen.value && (
        <>
          <Members {...row} />
          <span class="json-mark">{close}</span>
        </>
      )}
    </li>
  )
}

const Row = (row: RowProps) => {
  if (Array.isArray(row.value) || isRecord(row.value)) return <Container {...row} />
  return (
    <li>
      <Key {...row} />
      <Scalar {...row} />
    </li>
  )
}

/** An answer as a tree: what is deep or long opens when it is asked for, ids and edges lead on. */
export const JsonTree = ({
  value,
  expression,
}: {
  readonly value: Json
  readonly expression: FieldExpression
}) => (
  <ul class="json">
    <Row name="" value={value} parent={undefined} depth={0} expression={expression} />
  </ul>
)
