import { defineConfig } from 'vitest/config'

/** The tests that need real schedulers, which all share one machine with them. */
export default defineConfig({
  test: {
    include: ['test/{clusters,weekend}/**/*.test.ts'],
    exclude: ['test/clusters/kubernetes/**'],
    // Counts are said at the end of each weekend.
    disableConsoleIntercept: true,
    globalSetup: ['test/build.ts', 'test/clusters/setup.ts'],
    fileParallelism: false,
    // As in vitest.config.ts.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // A limit against hanging, not a measure of speed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
