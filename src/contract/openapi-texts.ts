import type { BodyFaults, OperationName } from './operations.js'

// What the description says in words. Schemas and statuses come from the contract's tables.

export const about = `The projects of a team, the caller's session bundle, and an early-access waitlist.

A caller is known by the cookie \`session\`. It leads to a user, an organisation (by an organisation code) and a
team; projects belong to a team. Every body is JSON. Every error has a code and a link to the page about it, but for
the session and waitlist operations, whose errors are \`{ "error": … }\`.`

/** The groups that operations are shown in. */
export const tags = {
  Projects: 'Create, list and update the projects of the team.',
  Session: 'Who the caller is, and what they may do.',
  Waitlist: 'Early access, without a session.',
}

export const operationTexts: { [Name in OperationName]: { tag: keyof typeof tags; description: string } } = {
  createProject: {
    tag: 'Projects',
    description:
      'Creates a project in the team of the caller. The name has to be free in the team, compared without regard to case. Two creations at the same time may both succeed.',
  },
  listProjects: {
    tag: 'Projects',
    description:
      'Every project of the team that the session leads to, newest first. Without a team the list is empty.',
  },
  updateProject: {
    tag: 'Projects',
    description:
      'Sets any combination of the three fields, and leaves the others as they are. A project of another team is answered like one that does not exist.',
  },
  getSession: {
    tag: 'Session',
    description: 'The user, the organisation, the permissions, and the team with its projects.',
  },
  joinWaitlist: {
    tag: 'Waitlist',
    description:
      'Puts an address on the waitlist, trimmed and in lower case. A repeated address gets the same answer.',
  },
}

/** What is wrong with a body, as the summary of an example. */
export const faultTexts: { [Fault in keyof BodyFaults]: string } = {
  mediaType: 'The content type is not application/json.',
  tooLarge: 'The body has more than 64 KiB.',
  unreadable: 'The body is empty, not UTF-8, or not JSON.',
  notAnObject: 'The body is JSON, and not an object.',
  invalid: 'The body is an object that breaks its schema.',
}

/** What each field means, section 2. */
export const fieldTexts: Record<string, Record<string, string>> = {
  Project: {
    id: 'Project identifier.',
    name: 'Unique within a team, compared without regard to case.',
    description: 'Null when no description is set.',
    status: 'Set through the update operation; any string.',
    teamId: 'Identifier of the owning team.',
    createdAt: 'Creation time: RFC 3339 in UTC.',
  },
  SessionBundle: {
    devMode: 'Only outside production: the caller came through mock authentication.',
    user: 'The profile of the caller at the identity provider.',
    organization: 'The organisation of the caller.',
    permissions: 'Permissions of the caller.',
    teamId: 'Team resolved from the organisation code; empty where there is none.',
    projects: 'Projects the team owns, newest first.',
    role: 'Only outside production, together with devMode.',
  },
  CreateProjectBody: {
    name: 'Kept as sent. Without U+0000 and lone surrogates.',
    description: 'Without U+0000 and lone surrogates.',
  },
  UpdateProjectBody: {
    name: 'Kept as sent. Without U+0000 and lone surrogates.',
    description: 'Without U+0000 and lone surrogates.',
    status: 'Any string of at least one character. Without U+0000 and lone surrogates.',
  },
  JoinWaitlistBody: { email: 'An email address; trimmed and lower-cased before it is stored.' },
  ErrorBody: {
    error: 'What happened, for people.',
    code: 'What happened, for programs.',
    docsUrl: 'Opens a page about the code.',
  },
  ValidationErrorBody: {
    error: 'What happened, for people.',
    code: 'What happened, for programs.',
    docsUrl: 'Opens a page about the code.',
    details: 'What is wrong, or null where the body could not be read at all.',
  },
  ValidationDetails: {
    formErrors: 'What is wrong with the body as a whole.',
    fieldErrors: 'What is wrong with each field.',
  },
  ShortErrorBody: { error: 'What happened.' },
  WaitlistReply: { status: 'Always ok.' },
}

export const paramTexts: Record<string, string> = { projectId: 'The id of a project of the team.' }
