import * as z from 'zod'
import { recordSchemas, SessionRecord, StateFile, stateKinds } from '../../src/store/state-file.js'

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema }

// The descriptions that an editor shows. The schemas omit them, since pages load the schemas.
const descriptions = {
  $schema: 'The address of this schema, for editors.',
  version: 'The version of the format.',
  teams: 'Teams. Ids and organisation codes are unique.',
  'teams.orgCode': 'The organisation code of the sessions that belong to the team.',
  users: 'People, as the identity provider describes them.',
  'users.issuer': 'The identity provider; together with subject.',
  'users.subject': 'The identity at the provider; together with issuer.',
  sessions: 'Sessions. Those of a fixture are personas: the id is the value of the session cookie.',
  'sessions.id': 'The value of the cookie. "active" is reserved.',
  'sessions.userId': 'The id of a user of this file.',
  'sessions.orgCode': 'The organisation. Without it, the caller has none.',
  'sessions.permissions': 'For example create:projects and update:projects.',
  'sessions.role': 'Shown by the mock only, with devMode.',
  'sessions.note': 'A short description of the persona.',
  projects: 'Projects of the teams.',
  'projects.teamId': 'The id of a team of this file.',
  waitlist: 'Addresses on the early-access waitlist, in lower case.',
  mock: 'What a mock has beside its records: what is forced and set, snapshots and the log. Databases ignore it.',
}

const records = { ...recordSchemas, sessions: SessionRecord.extend({ permissions: z.array(z.string()) }) }

/** The format of a state file, with arrays of zod: the arrays of `StateFile` stop at a number of faults, which JSON Schema cannot express. */
export const StateFileFormat = StateFile.extend(
  Object.fromEntries(stateKinds.map((kind) => [kind, z.array(records[kind]).default([])])),
)

/**
 * The JSON Schema of a state file, in draft 7, which editors support best. It cannot express that ids are unique and
 * references valid; loading a file checks that.
 */
export function stateSchema(): Schema {
  const schema = z.toJSONSchema(StateFileFormat, { io: 'input', target: 'draft-7' }) as Schema
  for (const [path, description] of Object.entries(descriptions)) {
    const [kind = '', field] = path.split('.')
    const list = schema.properties?.[kind]
    const described = field === undefined ? list : list?.items?.properties?.[field]
    if (!described) throw new Error(`There is no ${path} to describe.`)
    described.description = description
  }
  const { $schema, ...rest } = schema
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'State file of dashboard-api',
    description: 'Fixtures, seeds, snapshots and exported states.',
    ...rest,
  }
}
