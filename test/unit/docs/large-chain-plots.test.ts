import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { largeChainPlots } from '../../../scripts/large-chain-plots.js';

const FOLDER = new URL('../../../docs/images/large-chain/', import.meta.url);
const page = readFileSync(new URL('../../../docs/background/large-chains.md', import.meta.url), 'utf8');

describe('the plots of large chains', () => {
  it.each([...largeChainPlots()])('%s shows what was measured, and the page has it', (file, text) => {
    expect(readFileSync(new URL(file, FOLDER), 'utf8')).toBe(text);
    expect(page).toContain(`../images/large-chain/${file}`);
  });
});
