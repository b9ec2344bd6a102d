import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { FieldExpression } from '../../../fields/expression.ts'
import { clipped } from '../answer/clipped.ts'
import { isRecord, type Json } from '../answer/json.ts'
import { expressionBelow, leadOfKey, leadOfValue } from '../answer/links.ts'
import { AT_ONCE, openedIn } from '../answer/opened.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { LeadLink } from './lead-link.tsx'

type RowProps = {
  readonly name: string
  readonly value: Json
  readonly parent: Json | undefined
  /** The lists and objects that are open at first. */
  readonly opened: ReadonlySet<Json>
  /** What was asked of the object that the row is of. */
  readonly expression: FieldExpression
}

const MOST_TEXT = 2000
/** Under what a page or list, or what several nodes were asked by: what is below was asked what it was. */
const SAME = /^(?:data|me|\d+)?$/

const kindOf = (value: Json): string => (value === null ? 'null' : typeof value)

const Scalar = ({ name, value, parent, expression }: RowProps) => {
  const { graphUrl } = useExplorer().settings
  const lead = leadOfValue(value, { parent, key: name, expression }, graphUrl)
  const text = clipped(JSON.stringify(value), MOST_TEXT)
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

const Members = ({ name, value, opened, expression }: RowProps) => {
  const shown = useSignal(AT_ONCE)
  const openedLater = useSignal<ReadonlySet<Json>>(opened)
  const members = Object.entries(value ?? {})
  const below = SAME.test(name) || Array.isArray(value) ? expression : expressionBelow(expression, name)
  const showMore = (): void => {
    const more = members.slice(shown.value, shown.value + AT_ONCE).map(([, member]) => member)
    openedLater.value = new Set([...openedLater.value, ...openedIn(more)])
    shown.value += AT_ONCE
  }
  return (
    <ul>
      {members.slice(0, shown.value).map(([key, member]) => (
        <Row
          key={key}
          name={key}
          value={member}
          parent={value}
          opened={openedLater.value}
          expression={below}
        />
      ))}
      {members.length > shown.value && (
        <li>
          <button type="button" onClick={showMore}>
            {(members.length - shown.value).toLocaleString('en')} more
          </button>
        </li>
      )}
    </ul>
  )
}

const Container = (row: RowProps) => {
  const { name, value, opened } = row
  const isOpen = useSignal(opened.has(value))
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
          <Members {...row} opened={opened.has(value) ? opened : openedIn([value])} />
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
}) => {
  const opened = useMemo(() => openedIn([value]), [value])
  return (
    <ul class="json">
      <Row name="" value={value} parent={undefined} opened={opened} expression={expression} />
    </ul>
  )
}
