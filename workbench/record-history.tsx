// The requests of the log that changed a record: which made it, and which changed it.

import { showRequest } from './items.js'
import { entries } from './store.js'

const words = { added: 'created', changed: 'changed', removed: 'removed' }

/** @param at the request whose details these are */
export const RecordHistory = ({ id, at }: { id: string; at?: number }) => (
  <>
    {(entries.value ?? []).flatMap((entry) =>
      (entry.changed ?? [])
        .filter(({ key }) => key === id)
        .map(({ change }) => (
          <span key={entry.id}>
            {words[change]} by{' '}
            {entry.id === at ? (
              <b>#{entry.id}</b>
            ) : (
              <button type="button" class="link" onClick={() => showRequest(entry.id)}>
                #{entry.id}
              </button>
            )}
            {' · '}
          </span>
        )),
    )}
  </>
)
