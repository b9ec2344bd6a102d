import { useEffect } from 'preact/hooks'
import { ExplorerProvider, type ExplorerState } from '../state/explorer-state.ts'
import { FieldEditor } from './field-editor.tsx'
import { FieldTree } from './field-tree.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { PathBar } from './path-bar.tsx'
import { PlanLine } from './plan-line.tsx'
import { TableView } from './table-view.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { TokenBox } from './token-box.tsx'
import { VersionSelector } from './version-selector.tsx'
import { ViewerSelector } from './viewer-selector.tsx'
import { Views } from './views.tsx'

/** Runs the request on the editor's keyboard shortcut, even if another element has the focus. */
const useRunShortcut = ({ navigation }: ExplorerState): void => {
  useEffect(() => {
    const run = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
      event.preventDefault()
      void navigation.run()
    }
    addEventListener('keydown', run)
    return () => removeEventListener('keydown', run)
  }, [navigation])
}

const QueryView = () => (
  <>
    <PathBar />
    <section class="request" aria-label="Fields">
      <div class="card">
        <FieldEditor />
        <PlanLine />
      </div>
      <FieldTree />
    </section>
    <Views />
  </>
)

const ExplorerPage = ({ state: { request } }: { readonly state: ExplorerState }) => (
  <>
    <header class="top">
      <h1>
        Graph <span>Explorer</span>
      </h1>
      <ViewerSelector />
      <TokenBox />
      <ModeSwitch />
      <VersionSelector />
      <ThemeSwitch />
    </header>
    <main>{request.mode.value === 'table' ? <TableView /> : <QueryView />}</main>
  </>
)

/** The page. */
export const App = ({ state }: { readonly state: ExplorerState }) => {
  useRunShortcut(state)
  return (
    <ExplorerProvider value={state}>
      <ExplorerPage state={state} />
    </ExplorerProvider>
  )
}
