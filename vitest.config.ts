import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Sessions and the pages of the documentation are files of tests: what users type and see, in Markdown. */
const sessions = {
  name: 'sessions',
  transform(code: string, path: string) {
    if (!path.endsWith('.md')) return null
    const [name, file] = path.endsWith('.session.md')
      ? ['testSession', 'sessions/run-session']
      : ['testPage', 'docs/run-page']
    const words = [code, path].map(text => JSON.stringify(text)).join(', ')
    return `import { ${name} } from '/test/${file}.ts'\n${name}(${words})`
  },
}

export default defineConfig({
  plugins: [sessions],
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.session.md', 'README.md', 'docs/**/*.md'],
    exclude: [
      'test/clusters/**',
      'test/weekend/**',
      'test/faults/**',
      'test/package/**',
      'test/browser/**',
      'test/environments/**',
      'test/readers/**',
      'docs/reference/commands/**',
    ],
    // The tests run the built program: it is built once, before all of them.
    globalSetup: ['test/build.ts'],
    // Tests wait for disks and for other processes: meanwhile other workers can use the processors.
    maxWorkers: availableParallelism() + 2,
    // A worker loads a module once for all files; none keeps what one test could do to another.
    isolate: false,
    // What a file is compiled to is kept until the file changes.
    experimental: { fsModuleCache: true },
    // Node would read these certificates at each start, which takes longer than the rest of it; no test needs the network.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // A limit against hanging, not a measure of speed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
