import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
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

const PickerPage = ({
  path,
  openPage,
  pick,
}: {
  readonly path: string
  readonly openPage: (path: string) => void
  readonly pick: (choice: NodeChoice) => void
}) => {
  const { page, message } = usePage(path)
  const links = [
    ['Previous', page.value?.previous],
    ['Next', page.value?.next],
  ] as const
  return (
    <>
      <ul class="picker-list">
        {page.value?.choices.map(choice => (
          <li key={choice.id}>
            <button type="button" onClick={() => pick(choice)}>
              {choice.label} <small>{choice.id}</small>
            </button>
          </li>
        ))}
      </ul>
      <div class="pager">
        {links.map(([label, link]) => (
          <button
            key={label}
            type="button"
            aria-disabled={link === undefined}
            onClick={() => link !== undefined && openPage(link)}
          >
            {label}
          </button>
        ))}
        <p class="note" role="status">
          {message}
        </p>
      </div>
    </>
  )
}

/** The lists of the graph, from which users pick the node of a value. */
export const NodePicker = ({
  sources,
  label,
  id,
  pick,
  close,
}: {
  readonly sources: readonly NodeSource[]
  readonly label: string
  /** The id of the element that selects the list. */
  readonly id: string
  readonly pick: (choice: NodeChoice) => void
  readonly close: () => void
}) => {
  const schema = useExplorer().schema.schema.value
  const index = useSignal(0)
  const pagePath = useSignal<string | undefined>(undefined)
  const source = sources[index.value]
  if (schema === undefined || source === undefined) return null
  return (
    <fieldset
      class="picker"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      <legend class="unseen">Nodes for {label}</legend>
      <div class="control">
        <label for={id}>List</label>
        <select
          id={id}
          value={index.value}
          onChange={({ currentTarget }) => {
            index.value = Number(currentTarget.value)
            pagePath.value = undefined
          }}
        >
          {sources.map(({ path, label: text }, position) => (
            <option key={path} value={position}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <PickerPage
        path={pagePath.value ?? printSourcePath(schema, source)}
        openPage={path => {
          pagePath.value = path
        }}
        pick={pick}
      />
    </fieldset>
  )
}
