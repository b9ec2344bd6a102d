import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

// The client of the graph retries transient errors itself.
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
  )
