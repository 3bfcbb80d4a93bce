import type { Commands, Descriptions, Endpoints, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'
import type { createPersonaControls } from './persona-controls.js'

export const endpoints = {
  sessions: ['GET /__dev/sessions', 'sessions.list', 'caller'],
  useSession: ['PUT /__dev/sessions/active', 'sessions.use', 'id'],
  addSession: ['POST /__dev/sessions', 'sessions.add', '...'],
  expireSession: ['POST /__dev/sessions/expire', 'sessions.expire', 'id'],
  removeSession: ['DELETE /__dev/sessions', 'sessions.remove', 'id'],
} as const satisfies Endpoints<{ sessions: ReturnType<typeof createPersonaControls> }>

export const words: Words<typeof endpoints> = {
  useSession: {
    will: ({ id }) => (id === null ? 'Sign out' : `Sign in as ${id}`),
    did: ({ id }) => (id === null ? 'you signed out' : `you became ${id}`),
  },
  addSession: {
    will: ({ id }) => `Add the persona ${id}`,
    did: ({ id }) => `the persona ${id} was added`,
  },
  expireSession: {
    will: ({ id }) => `End the session of ${id}`,
    did: ({ id }) => `the session of ${id} expired`,
  },
  removeSession: {
    will: ({ id }) => `Remove the persona ${id}`,
    did: ({ id }) => `the persona ${id} was removed`,
  },
}

export const commands = {
  useSession: {
    usages: { 'session use [id]': {}, 'session sign-out': { id: null } },
    verbs: ['be', 'as'],
    takes: 'persona',
    example: 'be viewer',
  },
  sessions: { usages: { 'session current': {}, 'persona list': {} } },
  addSession: {
    usages: { 'persona add <id>': {} },
    fields: {
      ...({ email: 'text', givenName: 'text', familyName: 'text', orgCode: 'text' } as const),
      ...({ teamName: 'text', permissions: 'list', role: 'text', note: 'text' } as const),
    },
  },
  expireSession: {
    usages: { 'persona expire <id>': {} },
    verbs: ['expire', 'end session'],
    takes: 'persona',
    example: 'expire acme-member',
  },
  removeSession: { usages: { 'persona remove <id>': {} }, takes: 'persona' },
} as const satisfies Commands<typeof endpoints>

export const describe = ({ z, meta, optional, strict, nothing, personaId }: FieldWords) =>
  ({
    sessions: {
      about: 'List the personas.',
      input: nothing,
      tool: { name: 'list_personas' },
      help: {
        'session current': { about: 'Print the persona of the cookie session=active of a running mock.' },
        'persona list': { about: 'List the personas.', examples: ['', '--json'] },
      },
    },
    useSession: {
      about: 'Choose the persona of the cookie session=active, from the next request on.',
      input: strict({ id: personaId.nullable().describe('its name, or "signed out"') }),
      tool: { name: 'use_persona' },
      help: {
        'session use [id]': { examples: ['acme-viewer'] },
        'session sign-out': {
          about: 'Sign out the cookie session=active of a running mock, from the next request on.',
        },
      },
    },
    addSession: {
      about: 'Add a persona with its user, and with a team if its organisation has none.',
      input: strict({
        id: personaId,
        email: optional('', { help: 'the address of its user' }),
        givenName: optional('', { help: 'the given name of its user' }),
        familyName: optional('', { help: 'the family name of its user' }),
        orgCode: optional('without it and teamName, it has no organisation', {
          value: 'code',
          help: 'its organisation code; without it and --team, it has no organisation',
        }),
        teamName: optional('the team to add, if its organisation has none', { value: 'name' }),
        permissions: z
          .array(z.string())
          .meta(
            meta('default: those of every operation', {
              value: 'list',
              help: 'separated by commas; "" for none (default: those of every operation)',
            }),
          )
          .optional(),
        role: optional('', { help: 'its role in the session bundle' }),
        note: optional('', { help: 'a short description' }),
      }),
      tool: { name: 'add_persona', effect: 'adds' },
      help: {
        'persona add <id>': {
          examples: ['initech-boss --organization org_initech --team Initech --role owner'],
        },
      },
    },
    expireSession: {
      about: 'End the session of a persona, as if it had expired. Its next request gets a 401.',
      input: strict({ id: personaId }),
      tool: { name: 'expire_persona' },
      help: { 'persona expire <id>': { examples: ['acme-member'] } },
    },
    removeSession: {
      about: 'Remove a persona, and its user if no other persona is that user.',
      input: strict({ id: personaId }),
      tool: { name: 'remove_persona' },
      help: { 'persona remove <id>': { examples: ['initech-boss'] } },
    },
  }) satisfies Descriptions<typeof endpoints, typeof commands>
