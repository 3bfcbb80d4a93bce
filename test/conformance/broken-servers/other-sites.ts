import { type BrokenServer, onRequest, onResponse } from './broken-server.js'

export const siteServers: BrokenServer[] = [
  {
    name: 'signing out redirects to any site',
    caughtBy:
      'A sign-out clears the cookie and leads to returnTo, by way of the identity provider and to no other site',
    behave: onResponse((response, { path }) =>
      path.startsWith('/auth/sign-out?returnTo=') && response.status === 303
        ? {
            ...response,
            headers: { ...response.headers, location: decodeURIComponent(path.split('returnTo=')[1] ?? '') },
          }
        : response,
    ),
  },
  {
    name: 'pages of other sites may write',
    caughtBy: 'An update of a page of another site is refused first of all, and changes nothing',
    behave: onRequest((request) => ({
      ...request,
      headers: request.headers.filter(([name]) => name !== 'origin' && !name.startsWith('sec-fetch-')),
    })),
  },
  {
    name: 'pages of other sites may read',
    caughtBy:
      'A page of another site may read nothing: the response is the usual one, and names no allowed origin',
    behave: onResponse((response) => ({
      ...response,
      headers: { ...response.headers, 'access-control-allow-origin': '*' },
    })),
  },
]
