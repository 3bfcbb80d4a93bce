/** Placeholders for content that is loading. */
export const Loading = () => (
  <div className="columns" role="status">
    <div className="stack">
      <p className="muted">Loading…</p>
      {['first', 'second', 'third'].map((key) => (
        <div key={key} className="card skeleton" />
      ))}
    </div>
    <div className="card skeleton" />
  </div>
)
