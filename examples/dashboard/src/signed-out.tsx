import type { Submit } from './use-dashboard'
import { WaitlistForm } from './waitlist-form'

type SignedOutProps = { sessionEnded: boolean; signInUrl: string; onJoin: Submit<string> }

export const SignedOut = ({ sessionEnded, signInUrl, onJoin }: SignedOutProps) => (
  <div className="columns welcome">
    <section>
      <h1>Every project of your team, on one page.</h1>
      <p className="lead">See what is active, pause what can wait, and start what comes next.</p>
      {sessionEnded && (
        <p className="hint" role="status">
          Your session has ended. Sign in again to continue.
        </p>
      )}
      <a className="button" href={signInUrl}>
        Sign in to your team
      </a>
    </section>
    <WaitlistForm onJoin={onJoin} />
  </div>
)
