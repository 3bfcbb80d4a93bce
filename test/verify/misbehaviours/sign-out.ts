import { type Misbehaviour, onResponse } from './misbehaviour.js'

export const signOutMisbehaviours: Misbehaviour[] = [
  {
    name: 'signing out redirects to any site',
    tries: /sign-out|signs out/,
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
    name: 'signing out ends no session',
    tries: /sign-out|signs out|Signing out/,
    mode: 'production',
    behave: () => async (request, send) =>
      request.path.startsWith('/auth/sign-out')
        ? send({ ...request, headers: request.headers.filter(([name]) => name.toLowerCase() !== 'cookie') })
        : send(request),
    notCaught: 'Cases that sign out would end the sessions that the verifier was given.',
  },
]
