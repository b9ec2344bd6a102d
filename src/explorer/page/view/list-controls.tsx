import { useSignal } from '@preact/signals'
import type { ParameterView } from '../../parameter-view.ts'
import type { EdgeView } from '../../schema-view.ts'
import { useExplorer } from '../state/explorer-state.ts'
import {
  acceptsTimes,
  changeOption,
  choicesOf,
  currentOrderOf,
  formatNoValue,
  inputAttributesOf,
  orderNamesOf,
  readParameter,
} from '../table/list-options.ts'

type OptionProps = {
  readonly edge: EdgeView
  readonly name: string
  readonly label: string
  readonly description?: string | undefined
}

const PAGE_SIZES = ['10', '25', '50', '100']
const ROWS_LABEL = 'Rows'

/** Returns the value of an option of the list, and a function that changes it and reads the list again. */
const useOption = (edge: EdgeView, name: string) => {
  const { request, navigation } = useExplorer()
  const target = request.target.value
  const change = (value: string): void => {
    request.path.value = changeOption(target, edge, name, value)
    void navigation.run()
  }
  return { target, value: readParameter(target, name), change }
}

const ChoiceOption = ({
  edge,
  name,
  label,
  description,
  value,
  choices,
}: OptionProps & {
  readonly value: string
  readonly choices: readonly (readonly [value: string, text: string])[]
}) => {
  const { change } = useOption(edge, name)
  const isListed = choices.some(([choice]) => choice === value)
  return (
    <div class="control" title={description}>
      <label for={`option-${name}`}>{label}</label>
      <select
        id={`option-${name}`}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {[...choices, ...(isListed ? [] : [[value, value] as const])].map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** An input whose value is applied when the user presses Enter or leaves it. */
const TextOption = ({
  edge,
  name,
  label,
  description,
  type,
  placeholder = '',
}: OptionProps & { readonly type: ParameterView['type']; readonly placeholder?: string }) => {
  const { value, change } = useOption(edge, name)
  const draft = useSignal<string | undefined>(undefined)
  const apply = (text: string): void => {
    draft.value = undefined
    if (text !== value) change(text)
  }
  return (
    <div class="control" title={description}>
      <label for={`option-${name}`}>{label}</label>
      <input
        id={`option-${name}`}
        {...inputAttributesOf(type, value)}
        value={draft.value ?? value}
        onInput={({ currentTarget }) => {
          draft.value = currentTarget.value
        }}
        onChange={({ currentTarget }) => apply(currentTarget.value)}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={placeholder}
      />
    </div>
  )
}

const ParameterOption = ({
  edge,
  parameter,
}: {
  readonly edge: EdgeView
  readonly parameter: ParameterView
}) => {
  const { name, type, description } = parameter
  const { value } = useOption(edge, name)
  const choices = choicesOf(parameter)
  const option = { edge, name, label: name, description }
  if (choices === undefined)
    return (
      <TextOption
        {...option}
        type={type}
        placeholder={type === 'id' ? 'me, 1056' : formatNoValue(parameter)}
      />
    )
  const texts = choices.map(choice => [choice, choice] as const)
  return <ChoiceOption {...option} value={value} choices={[['', formatNoValue(parameter)], ...texts]} />
}

const OrderOption = ({ edge }: { readonly edge: EdgeView }) => {
  const { target } = useOption(edge, 'order')
  const suffix = edge.by === undefined ? '' : ` by ${edge.by}`
  const choices = orderNamesOf(edge).map(order => [order, order.replaceAll('_', ' ') + suffix] as const)
  return (
    <ChoiceOption
      edge={edge}
      name="order"
      label="Order"
      value={currentOrderOf(target, edge)}
      choices={choices}
    />
  )
}

/** The inputs of a list: its order, parameters, times and page size. They change the path of the request. */
export const ListControls = ({ edge }: { readonly edge: EdgeView }) => {
  const { request, knownNodes } = useExplorer()
  const { value: limit } = useOption(edge, 'limit')
  const sizes = PAGE_SIZES.map(size => [size, size] as const)
  return (
    <form class="options" aria-label="Options" onSubmit={event => event.preventDefault()}>
      <OrderOption edge={edge} />
      {knownNodes.requestedParameters.value.map(parameter => (
        <ParameterOption key={parameter.name} edge={edge} parameter={parameter} />
      ))}
      {acceptsTimes(edge, currentOrderOf(request.target.value, edge)) &&
        ['since', 'until'].map(name => (
          <TextOption key={name} edge={edge} name={name} label={`${name} (UTC)`} type="datetime" />
        ))}
      <ChoiceOption
        edge={edge}
        name="limit"
        label={ROWS_LABEL}
        value={limit}
        choices={[['', 'default'], ...sizes]}
      />
    </form>
  )
}
