// Changes of responses that no case tells from a response without faults, with the reason.

type Reason = { changes: RegExp; reason: string }

const reasons: Reason[] = [
  {
    changes: /^(HEAD of )?(\/\S*|a path outside) 40[34]\b/,
    reason:
      'Outside of `/v1/` no response is specified: a case checks that none has the projects of a team, or signs out.',
  },
  {
    changes: /: error another string$/,
    reason: 'Messages are for people: only those of the waitlist are specified (section 7).',
  },
  {
    changes: /: details\..* (with an item twice|with another item)$/,
    reason: 'Messages are for people: only those of the waitlist are specified (section 7).',
  },
  {
    changes: /^getSession 200: user\..* (another string|empty)$/,
    reason: 'The profile is that of the identity provider, which a verifier cannot ask.',
  },
  {
    changes: /^getSession 200: permissions (with an item twice|with another item|reversed)$/,
    reason: 'The interface specifies neither the order of permissions nor which others there are.',
  },
  {
    changes: /^getSession 200: role another string$/,
    reason: 'The interface does not specify the values of roles.',
  },
  {
    changes: /^\/(docs|auth)\/[^:]*: (no )?(content-type|cache-control)/,
    reason: 'The headers of pages outside of `/v1/` are not specified.',
  },
  {
    changes: /^(updateProject 404 NOT_FOUND|an unknown path 404 PROJECT_NOT_FOUND): /,
    reason: 'Dots as an id: clients and proxies remove such segments, so several responses are correct.',
  },
]

/** Why a change of a kind of response is not caught; undefined where it must be. */
export const reasonFor = (kind: string, change: string): string | undefined =>
  reasons.find(({ changes }) => changes.test(`${kind}: ${change}`))?.reason
