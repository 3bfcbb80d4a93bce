import * as z from 'zod'
import { type Operation, queryParameters, response } from '../../src/contract/operation.js'
import { ProjectListReply } from '../../src/contract/schemas.js'

// Two operations that are not in the interface: one succeeds without a body, one has query parameters.

const limit = z
  .string()
  .regex(/^[1-9]\d*$/)
  .transform(Number)

export const addedOperations = {
  removeProject: {
    section: '4.6',
    tag: 'Projects',
    summary: 'Remove a project',
    description: 'Removes a project of the team.',
    method: 'DELETE',
    path: '/v1/removed/{projectId}',
    params: { projectId: { description: 'The id of a project.', example: 'project-1' } },
    access: 'team',
    permission: 'update:projects',
    success: { status: 204 },
    errors: [
      'AUTH_REQUIRED',
      'ONBOARDING_REQUIRED',
      'TEAM_MEMBERSHIP_REQUIRED',
      'INSUFFICIENT_PERMISSIONS',
      'EMPTY_QUERY_FILTER',
      'PROJECT_NOT_FOUND',
    ],
    errorForm: 'full',
  },
  findProjects: {
    section: '4.7',
    tag: 'Projects',
    summary: 'Find projects',
    description: 'The projects of the team with a text in their names.',
    method: 'GET',
    path: '/v1/search',
    query: queryParameters(
      z.object({
        text: z.string().min(1).describe('A part of the name.'),
        limit: limit.optional().describe('How many projects at most.'),
      }),
      { text: 'app', limit: '10' },
    ),
    access: 'session',
    cache: 'team',
    success: response(200, ProjectListReply, { projects: [] }),
    errors: ['AUTH_REQUIRED', 'VALIDATION_FAILED'],
    errorForm: 'full',
  },
} as const satisfies Record<string, Operation>
