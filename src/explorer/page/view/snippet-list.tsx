import type { Snippet } from '../snippets/snippets.ts'
import { CopyButton } from './copy-button.tsx'

/** Pieces of code, each with its title and a button that copies it. */
export const SnippetList = ({ snippets }: { readonly snippets: readonly Snippet[] }) => (
  <>
    {snippets.map(({ title, code }) => (
      <section key={title} class="snippet" aria-label={title}>
        <h2>{title}</h2>
        <CopyButton label="Copy" subject={title} text={() => code} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: users scroll long lines with the keyboard */}
        <pre tabIndex={0}>{code}</pre>
      </section>
    ))}
  </>
)
