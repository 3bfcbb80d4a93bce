import { QueryClient } from '@tanstack/react-query'
import { ApiError } from 'dashboard-api/client'

/** Repeats a query only if the service says that it can be repeated, and after the time that it says. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (count, error) => count < 3 && error instanceof ApiError && error.retryAfter !== undefined,
        retryDelay: (_, error) => ((error instanceof ApiError && error.retryAfter) || 1) * 1000,
      },
    },
  })
