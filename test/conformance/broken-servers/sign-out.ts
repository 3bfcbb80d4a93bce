import { type BrokenServer, onResponse } from './broken-server.js'

export const signOutServers: BrokenServer[] = [
  {
    name: 'signing out redirects to any site',
    caughtBy: /sign-out|signs out/,
    behave: onResponse((response, { path }) =>
      path.startsWith('/auth/sign-out?returnTo=') && response.status === 303
        ? {
            ...response,
            headers: { ...response.headers, location: decodeURIComponent(path.split('returnTo=')[1] ?? '') },
          }
        : response,
    ),
  },
]
