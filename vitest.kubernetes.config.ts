import { defineConfig } from 'vitest/config'

/** The tests that need a real Kubernetes, which they all share. It is built where it is missing, which takes 10 to 20 minutes. */
export default defineConfig({
  test: {
    include: ['test/clusters/kubernetes/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/faults/build.ts', 'test/clusters/kubernetes/setup.ts'],
    fileParallelism: false,
    // As in vitest.config.ts.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // A limit against hanging, not a measure of speed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
