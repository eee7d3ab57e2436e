/**
 * Reads the test runner's JSON report for .ci/run: makes sure that the checks that must never be left out did run, and
 * prints the totals as the closing line. A file that failed outside of its tests counts as one failed test.
 */
import { readFileSync } from 'node:fs';

const mustRun = ['test/unit/layers.test.ts', 'test/e2e/package.test.ts', 'test/browser/harness.test.ts'];

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const brokenFiles = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
);
for (const file of brokenFiles) console.log(`failed outside of its tests: ${file.name}`);

const missing = mustRun.filter((name) => {
  const file = report.testResults.find((result) => result.name.endsWith(name));
  return !file?.assertionResults.some((test) => test.status === 'passed');
});
for (const name of missing) console.log(`did not run: ${name}`);

const passed = report.numPassedTests;
const failed = report.numFailedTests + brokenFiles.length + missing.length;
console.log(`${passed} passed, ${failed} failed, ${report.numPendingTests + report.numTodoTests} skipped`);
process.exit(passed > 0 && failed === 0 ? 0 : 1);
