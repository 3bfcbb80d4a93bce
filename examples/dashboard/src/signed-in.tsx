import type { Project, SessionBundle } from 'dashboard-api/client'
import { ProjectBoard } from './project-board'
import { SessionCard } from './session-card'
import type { Actions } from './use-dashboard'

type SignedInProps = { session: SessionBundle; projects: Project[]; actions: Actions }

export function SignedIn({ session, projects, actions }: SignedInProps) {
  return (
    <div className="columns">
      <Content session={session} projects={projects} actions={actions} />
      <SessionCard session={session} />
    </div>
  )
}

function Content({ session, projects, actions }: SignedInProps) {
  const { orgCode } = session.organization
  if (!orgCode) {
    return (
      <section className="card note">
        <h1>Finish setting up your account</h1>
        <p>You are signed in, but you belong to no organisation yet. Create one, or ask to be invited.</p>
        <p>Your team's projects will be here once you have signed in again.</p>
      </section>
    )
  }
  if (!session.teamId) {
    return (
      <section className="card note">
        <h1>Your organisation has no team yet</h1>
        <p>
          There is no team for <strong>{orgCode}</strong>. Ask the operator of this service to create one.
        </p>
        <button type="button" onClick={actions.refresh}>
          Check again
        </button>
      </section>
    )
  }
  return <ProjectBoard permissions={session.permissions} projects={projects} actions={actions} />
}
