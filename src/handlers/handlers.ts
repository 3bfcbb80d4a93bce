import type { OperationName } from '../contract/operations.js'
import { createProject } from './create-project.js'
import { getSession } from './get-session.js'
import type { Handler } from './handler.js'
import { joinWaitlist } from './join-waitlist.js'
import { listProjects } from './list-projects.js'
import { updateProject } from './update-project.js'

export const handlers: { [Name in OperationName]: Handler<Name> } = {
  createProject,
  listProjects,
  updateProject,
  getSession,
  joinWaitlist,
}
