import type { Command } from 'commander'
import { httpOrigin } from '../server/settings/http-url.js'
import { addCommand } from './define-command.js'
import { jsonOption, parseAmount, parseCount, parsePort, parseRate, parser, parseUrl } from './options.js'

export const define = (dev: Command) =>
  addCommand(dev, '', {
    about: 'Serve the mock: the whole interface from a fixture, for front-end work.',
    options: [
      ['--port <number>', 'the port to listen on, or the next free one; 0 picks one', parsePort, 4010],
      [
        '--host <address>',
        'the name or address to listen on; localhost is 127.0.0.1 and ::1',
        String,
        'localhost',
      ],
      ['--strict-port', 'fail if the port is taken'],
      ['--fixtures <file>', 'the state file to start with (default: the demo fixture)'],
      ['--session <persona>', 'who is signed in at the start, and the persona of the cookie session=active'],
      ['--delay <ms>', 'delay of responses in milliseconds, e.g. 300, or a range, e.g. 200-800'],
      ['--chaos <rate>', 'the part of the requests that fail at random with 500 or 503, e.g. 0.1', parseRate],
      ['--clock <time>', 'stop the clock at this time, e.g. 2026-01-01T00:00:00Z'],
      ['--ticking', 'with --clock, let the clock run from that time'],
      ['--seed <number>', 'make ids, random delays and chaos repeatable', parseAmount],
      ['--persist <file>', 'save the state in this file and load it at the next start'],
      ['--handlers <file>', 'a JavaScript or TypeScript file of MSW handlers, which come first'],
      ['--log-size <entries>', 'how many requests the log has at most', parseCount, 1000],
      [
        '--max-spaces <number>',
        'how many spaces there are at most; the least used goes first',
        parseCount,
        200,
      ],
      ['--snapshots <folder>', 'the folder for snapshots', String, '.dashboard-api/snapshots'],
      [
        '--allowed-origin <origin...>',
        'accept changes of these pages only (default: of this machine)',
        parseOrigins,
      ],
      ['--allowed-host <name...>', 'answer to these host names too, beside loopback and --host'],
      ['--allow-control <network...>', 'let these networks control the mock too, e.g. 172.17.0.0/16'],
      [
        '--public-url <url>',
        'the URL of the mock behind a proxy, its prefix included, for docsUrl',
        parseUrl,
      ],
      ['--cert <file>', 'serve https with this certificate, e.g. of mkcert; needs --key'],
      ['--key <file>', 'the key of the certificate'],
      ['--no-ui', 'print plain lines on a terminal, too'],
      jsonOption('print JSON lines: "listening" first, then one "request" each'),
    ],
    examples: [
      '',
      '--delay 200-800 --clock 2026-01-01T00:00:00Z --seed 1',
      '--chaos 0.1 --seed 7',
      '--port 0 --session acme-viewer --json',
      '--handlers mocks/handlers.ts',
      '--allowed-origin http://localhost:5173',
      '--cert localhost.pem --key localhost-key.pem',
    ],
    run: async (given) => (await import('./run-mock.js')).runMock(given),
  })

const parseOrigin = parser(httpOrigin, 'an origin such as http://localhost:5173')
const parseOrigins = (text: string, others: string[] = []) => [...others, parseOrigin(text)]
