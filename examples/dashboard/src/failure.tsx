type FailureProps = { reason: string; onRetry(): void }

export const Failure = ({ reason, onRetry }: FailureProps) => (
  <section className="card note" role="alert">
    <h1>The dashboard could not be loaded</h1>
    <p>{reason}</p>
    <button type="button" onClick={onRetry}>
      Try again
    </button>
  </section>
)
