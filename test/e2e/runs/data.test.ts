import { expect, test } from 'vitest'
import { withData } from './flowers.js'

/** Root may read everything, unless this is taken from it. */
const bound = process.getuid!() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', '--'] : ['env']

test.each(['stat', 'content'])(
  'what can no longer be looked at is named (%s), and not taken for what the run has read',
  async level => {
    const folder = await withData()
    folder.write('.git/level.yaml', `fingerprint: ${level}\n`)
    await folder.qanat('dataset', 'update', 'flowers', '-f', '.git/level.yaml')
    folder.write('data/sub/d.csv', 'd')
    await folder.shell('mkfifo "data/a\nb"')
    await folder.qanat('run', 'it', 'true')
    const told = `Dataset flowers is as run 1 read it, as far as it could be looked at: 4 files, 4 B (${level})
  not looked at:
    a⏎b
`
    expect(await folder.qanat('dataset', 'verify', 'flowers')).toMatchObject({ code: 0, stdout: told })
    const verify = `${bound.join(' ')} "${process.execPath}" "${folder.program}" dataset verify flowers`
    const { code, stdout } = await folder.shell(`chmod 0 data/sub data/a.csv; ${verify}; code=$?; ${verify} --json
    chmod 700 data/sub; exit "$code"`)
    const [text, json] = stdout.split(/^(?={)/m)
    expect([code, text]).toEqual([1, `${told}    a.csv\n    sub\n`])
    const files = { not_looked_at: ['a\nb', 'a.csv', 'sub'] }
    expect(JSON.parse(json!)).toMatchObject({ partial: true, changed: false, files })
  },
)
