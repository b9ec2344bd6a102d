import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  filterChoices,
  type NodeChoice,
  type NodeChoices,
  type NodeSource,
  nodeSourcesOf,
  printSourcePath,
} from '../action/node-sources.ts'
import { useExplorer } from '../state/explorer-state.ts'

/** Returns the lists from which a node of one of the types can be picked. */
export const useNodeSources = (types: readonly string[]): readonly NodeSource[] => {
  const { schema, actions } = useExplorer()
  const source = actions.form.value?.source
  if (schema.schema.value === undefined || source === undefined) return []
  return nodeSourcesOf(schema.schema.value, source, types)
}

/** Reads the page of a list at a path. */
const usePage = (path: string) => {
  const { actions } = useExplorer()
  const page = useSignal<NodeChoices | undefined>(undefined)
  const message = useSignal('')
  useEffect(() => {
    let isShown = true
    const show = (loadedPage: NodeChoices | undefined, text: string): void => {
      if (!isShown) return
      page.value = loadedPage
      message.value = text
    }
    message.value = 'Loading.'
    actions.loadChoices(path).then(
      loadedPage => show(loadedPage, loadedPage.choices.length === 0 ? 'This page has no nodes.' : ''),
      (error: unknown) => show(undefined, error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isShown = false
    }
  }, [path, actions, page, message])
  return { page, message }
}

type PageProps = {
  readonly path: string
  /** The id of the element that filters the nodes. */
  readonly filterId: string
  readonly openPage: (path: string) => void
  readonly pick: (choice: NodeChoice) => void
}

/** The text that filters the nodes of a page. In a form, the key Enter would run the action. */
const ChoiceFilter = ({ id, text }: { readonly id: string; readonly text: Signal<string> }) => (
  <div class="control">
    <label for={id}>Filter this page</label>
    <input
      id={id}
      type="search"
      autocomplete="off"
      value={text}
      onInput={({ currentTarget }) => {
        text.value = currentTarget.value
      }}
      onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
    />
  </div>
)

const ChoiceList = ({
  choices,
  pick,
}: Pick<PageProps, 'pick'> & { readonly choices: readonly NodeChoice[] }) => (
  <ul class="picker-list">
    {choices.map(choice => (
      <li key={choice.id}>
        <button type="button" onClick={() => pick(choice)}>
          {choice.label} <small>{choice.id}</small>
        </button>
      </li>
    ))}
  </ul>
)

const PickerPage = ({ path, filterId, openPage, pick }: PageProps) => {
  const { page, message } = usePage(path)
  const filter = useSignal('')
  const { choices = [], previous, next } = page.value ?? {}
  const matches = filterChoices(choices, filter.value)
  const pages = [
    ['Previous', previous],
    ['Next', next],
  ] as const
  return (
    <>
      <ChoiceFilter id={filterId} text={filter} />
      <ChoiceList choices={matches} pick={pick} />
      <div class="pager">
        {pages.map(([label, link]) => (
          <PageButton key={label} label={label} link={link} openPage={openPage} />
        ))}
        <p class="note" role="status">
          {choices.length > 0 && matches.length === 0 ? 'No node of this page matches.' : message}
        </p>
      </div>
    </>
  )
}

const PageButton = ({
  label,
  link,
  openPage,
}: Pick<PageProps, 'openPage'> & { readonly label: string; readonly link: string | undefined }) => (
  <button
    type="button"
    aria-disabled={link === undefined}
    onClick={() => link !== undefined && openPage(link)}
  >
    {label}
  </button>
)

type PickerProps = {
  readonly sources: readonly NodeSource[]
  readonly label: string
  /** The id of the element that selects the list. */
  readonly id: string
  readonly pick: (choice: NodeChoice) => void
  readonly close: () => void
}

/** The choice of the list to pick from. */
const SourceSelect = ({
  sources,
  id,
  index,
  select,
}: Pick<PickerProps, 'sources' | 'id'> & {
  readonly index: number
  readonly select: (index: number) => void
}) => (
  <div class="control">
    <label for={id}>List</label>
    <select id={id} value={index} onChange={({ currentTarget }) => select(Number(currentTarget.value))}>
      {sources.map(({ path, label }, position) => (
        <option key={path} value={position}>
          {label}
        </option>
      ))}
    </select>
  </div>
)

/** The lists of the graph, from which users pick the node of a value. */
export const NodePicker = ({ sources, label, id, pick, close }: PickerProps) => {
  const schema = useExplorer().schema.schema.value
  const index = useSignal(0)
  const pagePath = useSignal<string | undefined>(undefined)
  const source = sources[index.value]
  if (schema === undefined || source === undefined) return null
  const select = (position: number): void => {
    index.value = position
    pagePath.value = undefined
  }
  const openPage = (path: string): void => {
    pagePath.value = path
  }
  const closeWithKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  return (
    <fieldset class="picker" onKeyDown={closeWithKey}>
      <legend class="unseen">Nodes for {label}</legend>
      <SourceSelect sources={sources} id={id} index={index.value} select={select} />
      <PickerPage
        // Another list starts without the nodes, the links and the filter of the list before it.
        key={source.path}
        path={pagePath.value ?? printSourcePath(schema, source)}
        filterId={`${id}-filter`}
        openPage={openPage}
        pick={pick}
      />
    </fieldset>
  )
}
