/** Shapes of what is to come. */
export const Loading = () => (
  <div className="columns" role="status" aria-label="Loading">
    <div className="stack" aria-hidden="true">
      {['first', 'second', 'third'].map((key) => (
        <div key={key} className="card skeleton" />
      ))}
    </div>
    <div className="card skeleton" aria-hidden="true" />
  </div>
)
