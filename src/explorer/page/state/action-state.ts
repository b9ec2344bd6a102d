import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { actionsAt, type SourceAction } from '../action/action-call.ts'
import { type NodeChoices, parseNodeChoices } from '../action/node-sources.ts'
import { defaultNamesOf } from '../schema/lookup.ts'
import { type ActionForm, createActionForm } from './action-form.ts'
import type { KnownNodes } from './known-nodes.ts'
import { readGraphError } from './read-graph-error.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** The actions of the node or the edge of the request, and the form of one of them. */
export type ActionState = {
  readonly actions: ReadonlySignal<readonly SourceAction[]>
  /** Whether any type has actions. */
  readonly hasActions: ReadonlySignal<boolean>
  readonly form: ReadonlySignal<ActionForm | undefined>
  readonly openForm: (source: SourceAction) => void
  readonly closeForm: () => void
  /**
   * Reads a page of nodes to pick from.
   *
   * @throws Error if the graph returns an error, or if there is no response of the graph.
   */
  readonly loadChoices: (path: string) => Promise<NodeChoices>
}

/** Creates the state of actions. Calls `onSuccess` after each call of an action that succeeded. */
export const createActionState = (
  request: RequestState,
  { schema }: SchemaState,
  { requestedTypes }: KnownNodes,
  transport: Transport,
  graphUrl: string,
  onSuccess: () => void,
): ActionState => {
  const form = signal<ActionForm | undefined>(undefined)
  const actions = computed(() =>
    schema.value === undefined ? [] : actionsAt(schema.value, requestedTypes.value, request.target.value),
  )
  const hasActions = computed(() => schema.value?.types.some(type => type.actions !== undefined) === true)
  const targetKey = computed(
    () => `${request.version.value} ${request.target.value.id}/${request.target.value.edge}`,
  )
  effect(() => {
    void targetKey.value
    form.value = undefined
  })
  const openForm = (source: SourceAction): void => {
    const { returns = [] } = source.action
    const schemaView = schema.peek()
    const fields =
      schemaView === undefined ? [] : defaultNamesOf(schemaView, { types: returns, edge: undefined })
    form.value = createActionForm(source, fields.join(','), request, transport, onSuccess)
  }
  const loadChoices = async (path: string): Promise<NodeChoices> => {
    const response = await transport.requestGraph(path, request.token.peek())
    const error = readGraphError(response)
    if (error !== undefined) throw new Error(error.message)
    return parseNodeChoices(response.body, request.version.peek(), graphUrl)
  }
  const closeForm = (): void => {
    form.value = undefined
  }
  return { actions, hasActions, form, openForm, closeForm, loadChoices }
}
