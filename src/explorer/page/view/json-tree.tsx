import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { FieldExpression } from '../../../fields/expression.ts'
import { findInitiallyOpenValues, MEMBERS_PER_STEP, truncateText } from '../response/display-limits.ts'
import type { LeftOutFields } from '../response/left-out-fields.ts'
import { childExpressionOf, findKeyLink, findValueLink } from '../response/links.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { ResponseLink } from './response-link.tsx'
import { TwistButton } from './twist-button.tsx'

type JsonRowProps = {
  readonly name: string
  readonly value: JsonValue
  readonly parent: JsonValue | undefined
  /** The lists and objects that are open at first. */
  readonly initiallyOpenValues: ReadonlySet<JsonValue>
  /** The expression of the object that contains the row. */
  readonly expression: FieldExpression
  readonly leftOutFields: LeftOutFields
}

const MAX_TEXT_LENGTH = 2000
/**
 * Keys whose values have the same expression as their parent: the data of a page, and the ids of several
 * nodes.
 */
const SAME_EXPRESSION_KEY = /^(?:data|me|\d+)?$/

const kindOf = (value: JsonValue): string => (value === null ? 'null' : typeof value)

const JsonScalar = ({ name, value, parent, expression }: JsonRowProps) => {
  const { graphUrl } = useExplorer().settings
  const link = findValueLink(value, { parent, key: name, expression }, graphUrl)
  const text = truncateText(JSON.stringify(value), MAX_TEXT_LENGTH)
  return (
    <span class={`json-${kindOf(value)}`}>
      {link === undefined ? text : <ResponseLink link={link}>{text}</ResponseLink>}
    </span>
  )
}

const JsonKey = ({ name, value, parent, expression }: JsonRowProps) => {
  const link = findKeyLink(value, { parent, key: name, expression })
  if (name === '' || Array.isArray(parent)) return null
  return (
    <span class="json-key">
      {link === undefined ? name : <ResponseLink link={link}>{name}</ResponseLink>}
      <span class="json-mark">: </span>
    </span>
  )
}

/** The requested fields that an object does not contain, because the token lacks their scopes. */
const LeftOutRows = ({ value, leftOutFields }: Pick<JsonRowProps, 'value' | 'leftOutFields'>) => (
  <>
    {leftOutFields.get(value)?.map(({ key, scope }) => (
      <li key={key} class="left-out">
        <s>{key}</s> <span>left out: scope {scope} is required</span>
      </li>
    ))}
  </>
)

const JsonMembers = (row: JsonRowProps) => {
  const { name, value, initiallyOpenValues, expression, leftOutFields } = row
  const shownCount = useSignal(MEMBERS_PER_STEP)
  const openValues = useSignal<ReadonlySet<JsonValue>>(initiallyOpenValues)
  const members = Object.entries(value ?? {})
  const childExpression =
    SAME_EXPRESSION_KEY.test(name) || Array.isArray(value) ? expression : childExpressionOf(expression, name)
  const showMore = (): void => {
    const addedValues = members
      .slice(shownCount.value, shownCount.value + MEMBERS_PER_STEP)
      .map(([, member]) => member)
    openValues.value = new Set([...openValues.value, ...findInitiallyOpenValues(addedValues)])
    shownCount.value += MEMBERS_PER_STEP
  }
  return (
    <ul>
      {members.slice(0, shownCount.value).map(([key, member]) => (
        <JsonRow
          key={key}
          name={key}
          value={member}
          parent={value}
          initiallyOpenValues={openValues.value}
          expression={childExpression}
          leftOutFields={leftOutFields}
        />
      ))}
      {members.length > shownCount.value && (
        <li>
          <button type="button" onClick={showMore}>
            {(members.length - shownCount.value).toLocaleString('en')} more
          </button>
        </li>
      )}
      <LeftOutRows value={value} leftOutFields={leftOutFields} />
    </ul>
  )
}

const JsonContainer = (row: JsonRowProps) => {
  const { name, value, initiallyOpenValues, leftOutFields } = row
  const isOpen = useSignal(initiallyOpenValues.has(value))
  const [openBracket, closeBracket] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const memberCount = Object.keys(value ?? {}).length
  if (memberCount === 0 && !leftOutFields.has(value)) {
    return (
      <li>
        <JsonKey {...row} />
        <span class="json-mark">{openBracket + closeBracket}</span>
      </li>
    )
  }
  return (
    <li>
      <TwistButton isOpen={isOpen} label={`${name === '' ? 'Response' : name}, ${memberCount}`} />
      <JsonKey {...row} />
      <span class="json-mark">
        {isOpen.value ? openBracket : `${openBracket} ${memberCount} ${closeBracket}`}
      </span>
      {isOpen.value && (
        <>
          <JsonMembers
            {...row}
            initiallyOpenValues={
              initiallyOpenValues.has(value) ? initiallyOpenValues : findInitiallyOpenValues([value])
            }
          />
          <span class="json-mark">{closeBracket}</span>
        </>
      )}
    </li>
  )
}

const JsonRow = (row: JsonRowProps) => {
  if (Array.isArray(row.value) || isNonArrayObject(row.value)) return <JsonContainer {...row} />
  return (
    <li>
      <JsonKey {...row} />
      <JsonScalar {...row} />
    </li>
  )
}

/** A response as a tree. The user can open deep and long parts, and ids and edges are links. */
export const JsonTree = ({
  value,
  expression,
  leftOutFields,
}: Pick<JsonRowProps, 'value' | 'expression' | 'leftOutFields'>) => {
  const initiallyOpenValues = useMemo(() => findInitiallyOpenValues([value]), [value])
  return (
    <ul class="json">
      <JsonRow
        name=""
        value={value}
        parent={undefined}
        initiallyOpenValues={initiallyOpenValues}
        expression={expression}
        leftOutFields={leftOutFields}
      />
    </ul>
  )
}
