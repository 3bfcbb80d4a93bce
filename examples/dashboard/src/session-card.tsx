import type { SessionBundle } from 'dashboard-api/client'
import { Avatar } from './avatar'

/** The signed-in user, with organisation, team and permissions. */
export function SessionCard({ session }: { session: SessionBundle }) {
  const { user, organization, permissions, teamId, devMode, role } = session
  return (
    <aside className="card profile" aria-label="Your session">
      <div className="person">
        <Avatar user={user} />
        <div>
          <h2>
            {user.givenName} {user.familyName}
          </h2>
          <p>{user.email}</p>
        </div>
      </div>
      <dl>
        <dt>Organisation</dt>
        <dd>{organization.orgCode || 'None'}</dd>
        <dt>Team</dt>
        <dd>{teamId || 'None'}</dd>
        <dt>Permissions</dt>
        <dd>
          {permissions.length === 0 && 'None (read-only)'}
          {permissions.map((permission) => (
            <code key={permission}>{permission}</code>
          ))}
        </dd>
        {devMode && (
          <>
            <dt>Role</dt>
            <dd>
              {role} <span className="tag">mock sign-in</span>
            </dd>
          </>
        )}
      </dl>
    </aside>
  )
}
