import type { ActionDescription } from '../execute/action-runtime.ts'
import { type ParameterView, toParameterViews } from './parameter-view.ts'

/** An action of a type, without its policy. */
export type ActionView = {
  /** `update`, `delete`, `edge.add`, `edge.remove` or a name of its own. */
  readonly name: string
  readonly description?: string
  /** The scope that a token needs. */
  readonly scope?: string
  readonly parameters?: readonly ParameterView[]
  /** The types of the node that the action returns, if it returns one. */
  readonly returns?: readonly string[]
  /** Present if a call has no key, because the action may not be repeated. */
  readonly isNotIdempotent?: true
}

const toActionView = ({
  name,
  description,
  scope,
  parameters,
  returns,
  idempotent,
}: ActionDescription): ActionView => ({
  name,
  ...(description !== '' && { description }),
  ...(scope !== undefined && { scope }),
  ...toParameterViews(parameters),
  ...(returns !== undefined && { returns }),
  ...(!idempotent && { isNotIdempotent: true }),
})

/** Converts the actions of a type to a member of a view, which is absent if there are no actions. */
export const toActionViews = (
  actions: readonly ActionDescription[],
): { readonly actions?: readonly ActionView[] } =>
  actions.length === 0 ? {} : { actions: actions.map(toActionView) }
