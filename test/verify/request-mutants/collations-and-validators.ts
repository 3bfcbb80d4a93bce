import { nameKey } from '../../../src/contract/project-name.js'
import { jsonOf, withRequestJson } from '../broken-server-proxy.js'
import { fieldsOf, hasFields, type Misbehaviour, nameTaken } from '../misbehaviours/misbehaviour.js'
import { isCreate, isUpdate, refuse, takesForDifferent, takesForTheSame } from './replies.js'
import { both, editing, field, isChange, mutant, onProject, type When } from './request-mutant.js'

// What databases, ORMs and validators do with names, descriptions and states.

const fieldMatches =
  (name: string, pattern: RegExp): When =>
  (request) =>
    isChange(request) && pattern.test(field(request, name))

/** A server that stores another text for a field, and answers with it. */
const stores = (
  name: string,
  key: 'name' | 'description' | 'status',
  edit: (text: string) => string | null,
) =>
  mutant(
    name,
    (request) => hasFields(request) && typeof fieldsOf(request)[key] === 'string',
    async (request, send) => {
      const text = field(request, key)
      const edited = edit(text)
      if (edited === text || edited === '') return send(request)
      if (edited !== null) return send(withRequestJson(request, { ...fieldsOf(request), [key]: edited }))
      const { [key]: _, ...fields } = fieldsOf(request)
      return onProject((project) => ({ ...project, [key]: null }))(
        withRequestJson(request, fields),
        send,
        undefined as never,
      )
    },
  )

/** A server that takes a property for absent. */
const drops = (name: string, isDropped: (key: string, value: unknown) => boolean, when: When = isChange) =>
  mutant(
    name,
    both(hasFields, when, (request) =>
      Object.entries(fieldsOf(request)).some((entry) => isDropped(...entry)),
    ),
    (request, send) =>
      send(
        withRequestJson(
          request,
          Object.fromEntries(Object.entries(fieldsOf(request)).filter((entry) => !isDropped(...entry))),
        ),
      ),
  )

const stripAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const collationsAndValidators: Misbehaviour[] = [
  takesForTheSame('names are compared without accents, as utf8mb4_0900_ai_ci does', stripAccents),
  takesForTheSame('names are compared without blanks at their end, as PAD SPACE does', (name) =>
    nameKey(name).replace(/ +$/, ''),
  ),
  takesForTheSame('all characters above U+FFFF are equal, as in utf8mb4_general_ci', (name) =>
    nameKey(name).replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  ),
  takesForTheSame('punctuation and blanks are no part of the key of a name', (name) =>
    nameKey(name).replace(/[\p{P}\p{Zs}]/gu, ''),
  ),
  takesForTheSame('names are compared by their compatibility form, NFKC', (name) =>
    nameKey(name.normalize('NFKC')),
  ),
  takesForTheSame('the key of a name has one blank for several', (name) =>
    nameKey(name).replace(/\s+/g, ' '),
  ),
  takesForTheSame('the key of a name is the slug of it', (name) =>
    nameKey(name)
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, ''),
  ),
  takesForTheSame('the key of a name is the first 64 characters of it', (name) => nameKey(name).slice(0, 64)),
  takesForTheSame('the key of a name has no characters that cannot be seen', (name) =>
    nameKey(name).replace(/\p{Cf}/gu, ''),
  ),
  takesForDifferent('lower() in the C locale folds ASCII alone', (name) =>
    name.normalize('NFC').replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  takesForDifferent('names are compared in Turkish', (name) => name.normalize('NFC').toLocaleLowerCase('tr')),
  takesForDifferent('EqualFold does not know that ß is ss', (name) => name.normalize('NFC').toLowerCase()),
  takesForDifferent('names are compared without NFC', (name) =>
    name.toLowerCase().toUpperCase().toLowerCase(),
  ),
  takesForDifferent('names of more than 191 characters are not looked up', (name) =>
    name.length > 191 ? crypto.randomUUID() : nameKey(name),
  ),
  mutant(
    'a name of the LIKE pattern of another is taken',
    fieldMatches('name', /[%_]/),
    refuse(409, 'PROJECT_NAME_TAKEN'),
  ),
  stores('a name of more than 255 characters is cut', 'name', (text) => text.slice(0, 255)),
  stores('a description of more than 4,000 characters is cut', 'description', (text) => text.slice(0, 4000)),
  stores('a status of more than 32 characters is cut', 'status', (text) => text.slice(0, 32)),
  mutant('a name of more than 120 characters is 422', fieldMatches('name', /^.{121}/s), refuse(422)),
  mutant(
    'a description of more than 10,000 characters is 422',
    fieldMatches('description', /^.{10001}/s),
    refuse(422),
  ),
  mutant('a name of blanks alone is 422', fieldMatches('name', /^\s+$/), refuse(422)),
  mutant('a status of blanks alone is 422', fieldMatches('status', /^\s+$/), refuse(422)),
  mutant('a status with a blank in it is 422', fieldMatches('status', /\S \S/), refuse(422)),
  mutant('a status that is not ASCII is 422', fieldMatches('status', /[^\0-\x7f]/), refuse(422)),
  mutant('a name with a line break is 422', fieldMatches('name', /[\r\n\u2028]/), refuse(422)),
  mutant('a name with a control character is 422', fieldMatches('name', /\p{Cc}/u), refuse(422)),
  mutant(
    'a name with an emoji is 500, as in utf8mb3',
    fieldMatches('name', /[\u{10000}-\u{10ffff}]/u),
    refuse(500, 'INTERNAL_ERROR'),
  ),
  mutant(
    'a description with an emoji is 500, as in utf8mb3',
    fieldMatches('description', /[\u{10000}-\u{10ffff}]/u),
    refuse(500, 'INTERNAL_ERROR'),
  ),
  mutant(
    'a status with an emoji is 500, as in utf8mb3',
    fieldMatches('status', /[\u{10000}-\u{10ffff}]/u),
    refuse(500, 'INTERNAL_ERROR'),
  ),
  stores('blanks at the end of a description are removed', 'description', (text) => text.trimEnd()),
  stores('a status is trimmed', 'status', (text) => text.trim()),
  stores('a status is in lower case', 'status', (text) => text.toLowerCase()),
  stores('line breaks of a description are LF', 'description', (text) => text.replaceAll('\r\n', '\n')),
  stores('tags are stripped from a description', 'description', (text) => text.replace(/<[^>]*>/g, '')),
  stores('a name is escaped for HTML', 'name', (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ),
  stores('characters of no width are removed from a name', 'name', (text) =>
    text.replace(/[\u200b-\u200d\ufeff]/g, ''),
  ),
  stores('a byte order mark in a description is removed', 'description', (text) =>
    text.replace(/\ufeff/g, ''),
  ),
  stores('backslashes of a description are unescaped', 'description', (text) => text.replaceAll('\\n', '\n')),
  stores('an empty description is null', 'description', (text) => (text === '' ? null : text)),
  stores('a description of blanks alone is null', 'description', (text) =>
    /^\s+$/.test(text) ? null : text,
  ),
  stores('smart quotes of a name are plain', 'name', (text) =>
    text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'),
  ),
  stores('a name is NFC', 'name', (text) => text.normalize('NFC')),
  stores('a status is NFC', 'status', (text) => text.normalize('NFC')),
  stores('a description that is the text null is null', 'description', (text) =>
    text === 'null' ? null : text,
  ),
  drops('a property that is null counts as absent', (_, value) => value === null),
  drops(
    'a null of an unknown property counts as absent',
    (key, value) => !/^(name|description|status)$/.test(key) && value === null,
  ),
  drops('keys with a dollar or a dot are removed from bodies', (key) => /^\$|\./.test(key)),
  drops('__proto__ is removed from bodies', (key) => key === '__proto__'),
  drops('keys that begin with an underscore are removed from bodies', (key) => key.startsWith('_')),
  drops('id and teamId in an update are ignored', (key) => /^(id|teamId|createdAt)$/.test(key), isUpdate),
  drops('the status of a creation is ignored', (key) => key === 'status', isCreate),
  mutant(
    'keys are found without regard to case',
    both(hasFields, (request) => Object.keys(fieldsOf(request)).some((key) => /[A-Z]/.test(key))),
    (request, send) =>
      send(
        withRequestJson(
          request,
          Object.fromEntries(
            Object.entries(fieldsOf(request)).map(([key, value]) => [key.toLowerCase(), value]),
          ),
        ),
      ),
  ),
  ...(['name', 'description', 'status'] as const).map((key) =>
    mutant(
      `a number or a boolean of ${key} is made a string`,
      both(hasFields, (request) => /^(number|boolean)$/.test(typeof fieldsOf(request)[key])),
      (request, send) =>
        send(withRequestJson(request, { ...fieldsOf(request), [key]: String(fieldsOf(request)[key]) })),
    ),
  ),
  mutant(
    'an array of one string is the string',
    both(hasFields, (request) =>
      Object.values(fieldsOf(request)).some((value) => Array.isArray(value) && value.length === 1),
    ),
    (request, send) =>
      send(
        withRequestJson(
          request,
          Object.fromEntries(
            Object.entries(fieldsOf(request)).map(([key, value]) => [
              key,
              Array.isArray(value) ? value[0] : value,
            ]),
          ),
        ),
      ),
  ),
  mutant(
    'an update of the name alone to another case changes nothing',
    both(isUpdate, (request) => Object.keys(fieldsOf(request)).join() === 'name'),
    async (request, send) => {
      const before = await send(withRequestJson(request, {}))
      const project = Object(jsonOf(before)).project
      return project && nameKey(project.name) === nameKey(field(request, 'name')) ? before : send(request)
    },
  ),
  mutant(
    'a creation without a description has an empty one',
    both(isCreate, (request) => !('description' in fieldsOf(request))),
    editing((json) => (json.project ? { project: { ...Object(json.project), description: '' } } : json)),
  ),
  mutant('a name of 0 is empty, as in PHP', fieldMatches('name', /^0$/), refuse(422)),
  stores('a status of 0 is active', 'status', (t) => (t === '0' ? 'active' : t)),
  mutant(
    'a description of 0 is null',
    fieldMatches('description', /^0$/),
    onProject((p) => ({ ...p, description: null })),
  ),
  stores('a name of digits is a number', 'name', (t) => (/^0\d+$/.test(t) ? String(Number(t)) : t)),
  stores('a description that is JSON is parsed and written again', 'description', (t) => {
    try {
      return JSON.stringify(JSON.parse(t))
    } catch {
      return t
    }
  }),
  mutant(
    'a name that is a property of objects is taken',
    fieldMatches('name', /^(constructor|toString|valueOf|hasOwnProperty|__proto__)$/),
    nameTaken,
  ),
  mutant('a name that begins like a formula is 422', fieldMatches('name', /^[=+@-]/), refuse(422)),
  stores('a name is a pattern of a replacement', 'name', (t) => t.replace(/\$\$/g, '$').replace(/\$&/g, '')),
  stores('placeholders of a description are filled in', 'description', (t) =>
    t.replace(/\{\{.*?\}\}|%s/g, ''),
  ),
  stores('variation selectors are removed from a name', 'name', (t) => t.replace(/[\ufe00-\ufe0f]/g, '')),
  stores('marks of direction are removed from a name', 'name', (t) =>
    t.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
  ),
  stores('noncharacters of a description are replaced', 'description', (t) =>
    t.replace(/[\ufffe\uffff\ufdd0]/g, '\ufffd'),
  ),
  stores('private letters of a name are removed', 'name', (t) => t.replace(/[\ue000-\uf8ff]/g, '')),
  stores('joiners of a description are removed', 'description', (t) => t.replaceAll('\u200d', '')),
  stores('a tab in a description is four blanks', 'description', (t) => t.replaceAll('\t', '    ')),
  stores('several blanks of a description are one', 'description', (t) => t.replace(/ {2,}/g, ' ')),
  stores('U+0085 in a description is a line break', 'description', (t) => t.replaceAll('\u0085', '\n')),
  stores('a soft hyphen in a name is removed', 'name', (t) => t.replaceAll('\u00ad', '')),
  stores('links of a description are made tags', 'description', (t) =>
    t.replace(/https?:\/\/\S+/g, '<a>$&</a>'),
  ),
  mutant('a name of one mark is 422', fieldMatches('name', /^\p{M}+$/u), refuse(422)),
  mutant('a name of one emoji is 422', fieldMatches('name', /^\p{Emoji_Presentation}$/u), refuse(422)),
  mutant('a name of one character is 422', fieldMatches('name', /^.$/u), refuse(422)),
  mutant('a name in other letters than Latin is 422', fieldMatches('name', /^[^A-Za-z0-9]+$/), refuse(422)),
  mutant(
    'a name with more than 80 bytes in UTF-8 but less characters is cut',
    fieldMatches('name', /[^\0-\x7f]/),
    (request, send, context) =>
      new TextEncoder().encode(field(request, 'name')).length > 255
        ? refuse(422)(request, send, context)
        : send(request),
  ),
]
