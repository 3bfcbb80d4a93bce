// A table of records that is read, not edited. It scrolls with the keyboard, too.

import type { ComponentChildren } from 'preact'

type Props = { label: string; names: readonly string[]; children: ComponentChildren }
export const Table = ({ label, names, children }: Props) => (
  <div class="table" tabIndex={0} role="group" aria-label={label}>
    <table>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
