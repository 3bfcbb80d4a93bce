import type { SessionBundle } from 'dashboard-api/client'
import { useState } from 'react'

/** The user's picture, or the initials if there is no picture or it cannot be loaded. */
export function Avatar({ user }: { user: SessionBundle['user'] }) {
  const [failed, setFailed] = useState('')
  const { picture, givenName, familyName, email } = user
  if (picture && failed !== picture) {
    return (
      <img
        className="avatar"
        src={picture}
        alt=""
        width={48}
        height={48}
        referrerPolicy="no-referrer"
        onError={() => setFailed(picture)}
      />
    )
  }
  const initials = [givenName, familyName].map((name) => [...name][0] ?? '').join('')
  return (
    <span className="avatar" aria-hidden="true">
      {initials || email.slice(0, 1).toUpperCase()}
    </span>
  )
}
