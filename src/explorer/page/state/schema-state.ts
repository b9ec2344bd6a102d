import { batch, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { SchemaView } from '../../schema-view.ts'
import type { RequestState } from './request-state.ts'
import type { Transport } from './transport.ts'

/** The schema of the requested version, once it is loaded. */
export type SchemaState = {
  readonly schema: ReadonlySignal<SchemaView | undefined>
  /** The version of requests that do not specify one. */
  readonly newestVersion: ReadonlySignal<string>
  readonly hasFailed: ReadonlySignal<boolean>
}

/** Loads the schema initially and whenever the version changes. */
export const createSchemaState = ({ version }: RequestState, { requestExplorer }: Transport): SchemaState => {
  const schema = signal<SchemaView | undefined>(undefined)
  const newestVersion = signal('')
  const hasFailed = signal(false)
  /** Selects the last loaded version, because the version in a shared URL may not exist here. */
  const fallBack = (requestedVersion: string): void => {
    if (requestedVersion === '') hasFailed.value = true
    else version.value = schema.peek()?.version ?? ''
  }
  const load = async (requestedVersion: string, abortSignal: AbortSignal): Promise<void> => {
    const query = requestedVersion === '' ? '' : `?${new URLSearchParams({ version: requestedVersion })}`
    const { status, text } = await requestExplorer(`schema.json${query}`, abortSignal)
    if (status !== 200) return fallBack(requestedVersion)
    const schemaView: SchemaView = JSON.parse(text)
    batch(() => {
      if (newestVersion.value === '') newestVersion.value = schemaView.versions.at(-1) ?? schemaView.version
      schema.value = schemaView
      version.value = schemaView.version
      hasFailed.value = false
    })
  }
  effect(() => {
    const requestedVersion = version.value
    if (requestedVersion !== '' && requestedVersion === schema.peek()?.version) return
    const controller = new AbortController()
    load(requestedVersion, controller.signal).catch(() => {
      if (!controller.signal.aborted) hasFailed.value = true
    })
    return () => controller.abort()
  })
  return { schema, newestVersion, hasFailed }
}
