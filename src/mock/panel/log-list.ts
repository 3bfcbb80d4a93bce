import type { LogDetails, LoggedMessage } from '../core/log-details.js'
import type { LogEntry } from '../core/request-log.js'
import { button, element, type PanelPart, type RunControl } from './panel-dom.js'
import type { PanelMock } from './panel-mock.js'

const maxShown = 50

/** The latest entries of the log, newest first. An opened one shows its details. */
export function logList({ log }: Pick<PanelMock, 'log'>, run: RunControl): PanelPart {
  const list = element('ol')
  const empty = element('p', {}, 'No requests yet.')
  const items = new Map<number, HTMLElement>()
  let latest = 0

  function itemOf(entry: LogEntry): HTMLElement {
    const { id, method, path, session = 'signed out', status, code, why, ms } = entry
    const content = element('div')
    const details = element(
      'details',
      {
        ontoggle() {
          if (!details.open || content.hasChildNodes()) return
          void run(async () => content.replaceChildren(...partsOf(await log.entry(id))))
        },
      },
      element(
        'summary',
        {},
        element('span', {}, element('b', {}, method), ` ${path}`),
        element('span', { className: classOf(status) }, status ? String(status) : 'no response'),
        element('small', {}, `${session} · ${code ?? why}`),
        element('small', {}, `${ms} ms`),
      ),
      content,
    )
    return element('li', {}, details)
  }

  function partsOf({ id, time, why, session = 'signed out', request, response, changes }: LogDetails) {
    const rewind = async () => {
      const { title, changed } = await log.rewind(id)
      return `Done: ${title}. Changed records: ${changed}.`
    }
    const send = async () => {
      const sent = await log.send(id)
      return `Sent as request ${sent.id}: ${sent.status || 'no response'}.`
    }
    const changed = changes?.map(({ kind, key, before, after }) => {
      const how = before && after ? 'changed' : after ? 'added' : 'removed'
      return `${kind} ${key} ${how}`
    })
    return [
      element('p', {}, `${session}, decided by: ${why}, ${new Date(time).toLocaleTimeString()}`),
      ...bodyOf('Request', request),
      ...bodyOf('Response', response),
      ...(changed?.length ? [block('What it changed', changed.join('\n'))] : []),
      element(
        'p',
        { className: 'choices' },
        button('Rewind to before it', () => run(rewind, true)),
        button('Send again', () => run(send, true)),
      ),
    ]
  }

  return {
    node: element('section', { ariaLabel: 'Log' }, element('h3', {}, 'Log'), empty, list),
    async refresh() {
      const entries = (await log.read(Math.max(0, latest - maxShown))).slice(-maxShown)
      latest = entries.at(-1)?.id ?? latest
      const shown = new Set(entries.map(({ id }) => id))
      for (const [id, item] of items) {
        if (shown.has(id)) continue
        item.remove()
        items.delete(id)
      }
      for (const entry of entries) {
        if (items.has(entry.id)) continue
        const item = itemOf(entry)
        items.set(entry.id, item)
        list.prepend(item)
      }
      empty.hidden = entries.length > 0
    },
  }
}

const classOf = (status: number) => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')

function bodyOf(title: string, message: LoggedMessage | undefined): HTMLElement[] {
  if (!message?.body) return []
  const { text, length } = message.body
  return [block(`${title} body`, text === undefined ? `${length} bytes, not stored` : indented(text))]
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

const block = (title: string, text: string) =>
  element(
    'div',
    {},
    element('h4', {}, title),
    // Scrolled with the keyboard.
    element('pre', { tabIndex: 0, role: 'region', ariaLabel: title }, text),
  )
