import { batch, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { SchemaView } from '../../schema-view.ts'
import type { RequestState } from './request-state.ts'
import type { Transport } from './transport.ts'

/** The schema of the version that is asked for, once it is known. */
export type SchemaState = {
  readonly schema: ReadonlySignal<SchemaView | undefined>
  /** The version that is served where none is asked for. */
  readonly newest: ReadonlySignal<string>
  readonly failed: ReadonlySignal<boolean>
}

/** Loads the schema, at first and whenever another version is chosen. */
export const createSchemaState = ({ version }: RequestState, { look }: Transport): SchemaState => {
  const schema = signal<SchemaView | undefined>(undefined)
  const newest = signal('')
  const failed = signal(false)
  /** A version that a shared URL names need not exist here. */
  const refuse = (asked: string): void => {
    if (asked === '') failed.value = true
    else version.value = schema.peek()?.version ?? ''
  }
  const load = async (asked: string, signal: AbortSignal): Promise<void> => {
    const query = asked === '' ? '' : `?${new URLSearchParams({ version: asked })}`
    const { status, text } = await look(`schema.json${query}`, signal)
    if (status !== 200) return refuse(asked)
    const view: SchemaView = JSON.parse(text)
    batch(() => {
      if (newest.value === '') newest.value = view.versions.at(-1) ?? view.version
      schema.value = view
      version.value = view.version
      failed.value = false
    })
  }
  effect(() => {
    const asked = version.value
    if (asked !== '' && asked === schema.peek()?.version) return
    const leaving = new AbortController()
    load(asked, leaving.signal).catch(() => {
      if (!leaving.signal.aborted) failed.value = true
    })
    return () => leaving.abort()
  })
  return { schema, newest, failed }
}
