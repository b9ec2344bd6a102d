import { useEffect } from 'preact/hooks'
import { ExplorerProvider, type ExplorerState } from '../state/explorer-state.ts'
import { FieldEditor } from './field-editor.tsx'
import { FieldTree } from './field-tree.tsx'
import { PathBar } from './path-bar.tsx'
import { PlanLine } from './plan-line.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { TokenBox } from './token-box.tsx'
import { VersionSelector } from './version-selector.tsx'
import { Views } from './views.tsx'

/** Runs by the keys that run in the editor, wherever the focus is. */
const useRunKeys = ({ journey }: ExplorerState): void => {
  useEffect(() => {
    const run = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
      event.preventDefault()
      void journey.run()
    }
    addEventListener('keydown', run)
    return () => removeEventListener('keydown', run)
  }, [journey])
}

const Page = () => (
  <>
    <header class="top">
      <h1>
        Graph <span>Explorer</span>
      </h1>
      <TokenBox />
      <VersionSelector />
      <ThemeSwitch />
    </header>
    <main>
      <PathBar />
      <section class="ask" aria-label="Fields">
        <div class="card">
          <FieldEditor />
          <PlanLine />
        </div>
        <FieldTree />
      </section>
      <Views />
    </main>
  </>
)

/** The page. */
export const App = ({ state }: { readonly state: ExplorerState }) => {
  useRunKeys(state)
  return (
    <ExplorerProvider value={state}>
      <Page />
    </ExplorerProvider>
  )
}
