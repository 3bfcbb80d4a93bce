/** The callers of the cases: what each is, and the persona of the demo fixture that is one. */
export const callers = {
  owner: { persona: 'acme-owner', is: 'may create and update projects' },
  member: { persona: 'acme-member', is: 'a second member of the same team, with both permissions' },
  viewer: { persona: 'acme-viewer', is: 'a member of the same team with neither permission' },
  creator: { persona: 'acme-creator', is: 'a member of the same team who may create, but not update' },
  updater: { persona: 'acme-updater', is: 'a member of the same team who may update, but not create' },
  'near-miss': {
    persona: 'acme-near-miss',
    is: 'a member of the same team with other permissions that look like the two',
  },
  'other-owner': { persona: 'globex-owner', is: 'a member of another team, with both permissions' },
  'no-organization': { persona: 'no-organization', is: 'a user without organisation' },
  'no-team': { persona: 'no-team', is: 'a user whose organisation has no team' },
  expired: { persona: 'expired', is: 'an expired session' },
} as const

export type Caller = keyof typeof callers
export const callerNames = Object.keys(callers) as Caller[]
