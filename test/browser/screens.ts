/**
 * All screens of the dashboard with the states that look different, each on a chain that has something to show. The test
 * of accessibility opens all of them, and scripts/dashboard-pictures.ts makes pictures of them.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { runScenario } from '../../src/run-scenario.js';
import { compileProject, writeProject } from '../clients/source-lines.js';
import { approve, clientOf, FIRST_IS_WITNESS, propose, stakedChain } from './dashboard-chains.js';

const TRX = 1_000_000;
const DAY_MS = 86_400_000;
const COMMAND = path.resolve(import.meta.dirname, '../../dist/sunup.cjs');

/** What addresses of screens name: `txid`, `account`, `contract`. */
type Places = Readonly<Record<string, string>>;

interface OpenChain extends AsyncDisposable {
  readonly devnet: Devnet;
  readonly places: Places;
}

export interface ScreenState {
  readonly name: string;
  /** Behind `#/`; `{txid}` is a place of the chain. */
  readonly at: string;
  /** A text that is there when the screen is complete. */
  readonly shows: string | RegExp;
  readonly act?: (page: Page) => Promise<void>;
  /** The node refuses a question of this screen, which says so. */
  readonly isRefused?: true;
}

export interface ScreensOfChain {
  readonly chain: string;
  readonly open: () => Promise<OpenChain>;
  readonly states: readonly ScreenState[];
}

async function chainOf(
  options: DevnetOptions,
  prepare: (devnet: Devnet) => Promise<Places>,
  alsoClose: () => void | Promise<void> = () => {},
): Promise<OpenChain> {
  const devnet = await createDevnet(options);
  const places = await prepare(devnet);
  return {
    devnet,
    places,
    [Symbol.asyncDispose]: async () => {
      await devnet.close();
      await alsoClose();
    },
  };
}

interface Call {
  readonly raw_data: {
    readonly contract: readonly [
      { readonly parameter: { readonly value: { readonly owner_address: string; readonly contract_address: string } } },
    ];
  };
}

/** The chain that a scenario of fixtures/scenarios leaves behind. */
async function chainOfScenario(name: string): Promise<OpenChain> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-screens-'));
  const db = path.join(folder, 'db');
  const file = path.resolve(import.meta.dirname, `../../fixtures/scenarios/${name}.scenario.yaml`);
  const { transactions } = await runScenario(file, { db });
  const { txid } = transactions.findLast(({ type }) => type === 'TriggerSmartContract')!;
  const chain = path.join(folder, 'chain.ndjson');
  await promisify(execFile)(process.execPath, [COMMAND, 'record', chain, '--from', db]);
  return chainOf(
    { loadState: chain, mining: 'instant' },
    async (devnet) => {
      const body = JSON.stringify({ value: txid, visible: true });
      const answer = await devnet.fetch('/wallet/gettransactionbyid', { method: 'POST', body });
      const { raw_data: call } = (await answer.json()) as Call;
      const { owner_address: account, contract_address: contract } = call.contract[0].parameter.value;
      return { txid, account, contract };
    },
    () => rmSync(folder, { recursive: true, force: true }),
  );
}

const tab = (name: string) => (page: Page) => page.getByRole('tab', { name, exact: true }).click();

/** No longer one is valid. */
const LONG_NAME = 'W'.repeat(32);

export const SCREENS: readonly ScreensOfChain[] = [
  {
    chain: 'empty',
    open: () => chainOf({ mining: 'manual' }, async ({ accounts }) => ({ account: accounts[0]!.address })),
    states: [
      { name: 'overview', at: '', shows: 'No transactions yet' },
      { name: 'blocks', at: 'blocks', shows: /^0$/ },
      { name: 'transactions', at: 'transactions', shows: /No transactions/ },
      { name: 'contracts', at: 'contracts', shows: /There is no contract on this chain yet/ },
      { name: 'accounts', at: 'accounts', shows: '10,000 TRX' },
      { name: 'account', at: 'accounts/{account}', shows: 'No transactions yet.' },
      { name: 'governance', at: 'governance', shows: /No proposal/ },
      { name: 'scenarios', at: 'scenarios', shows: /Choose an example/ },
      { name: 'controls', at: 'controls', shows: 'No snapshot yet' },
      { name: 'not-found', at: 'nothing', shows: 'There is no such screen.' },
      { name: 'unknown-block', at: 'blocks/99999', shows: /no block/i },
      {
        name: 'unknown-transaction',
        at: `transactions/${'ab'.repeat(32)}`,
        shows: /The chain has no transaction/,
        isRefused: true,
      },
      { name: 'unknown-contract', at: 'contracts/{account}', shows: /There is no contract at/ },
      { name: 'no-address', at: 'accounts/T123', shows: /is not an address/ },
      {
        name: 'search-without-result',
        at: '',
        shows: 'No transactions yet',
        act: async (page) => {
          await page.getByRole('combobox', { name: 'Search' }).fill('x'.repeat(200));
          await page.getByRole('combobox', { name: 'Search' }).press('Enter');
          await page.getByRole('alert').waitFor();
        },
      },
    ],
  },
  {
    chain: 'limited',
    open: () =>
      chainOf({ mining: 'instant', devMethods: false, history: false, predeploy: ['usdt'] }, async (devnet) => {
        const { address, builder, send } = clientOf(devnet, 0);
        const txid = await send(builder.sendTrx(devnet.accounts[1]!.address, 5 * TRX, address));
        return { txid, account: address, contract: devnet.predeployed[0]!.address };
      }),
    states: [
      { name: 'overview', at: '', shows: 'Live (every 3 s)' },
      { name: 'transaction', at: 'transactions/{txid}', shows: 'Costs and calls need developer methods' },
      { name: 'account', at: 'accounts/{account}', shows: 'The history index is off' },
      { name: 'contract', at: 'contracts/{contract}', shows: /The factor needs developer methods/ },
      { name: 'contracts', at: 'contracts', shows: /needs developer methods/ },
      { name: 'controls', at: 'controls', shows: /does not let this page change the chain/ },
      { name: 'scenarios', at: 'scenarios', shows: /runs no scenarios for this page/ },
    ],
  },
  {
    chain: 'hot-wallet',
    open: () => chainOfScenario('01-hot-wallet-day'),
    states: [
      { name: 'overview', at: '', shows: 'Who paid, by source' },
      { name: 'overview-trx', at: '?paid=TRX', shows: 'Who paid, by source' },
      { name: 'blocks', at: 'blocks', shows: 'Transactions' },
      { name: 'transactions', at: 'transactions', shows: 'Success' },
      { name: 'account', at: 'accounts/{account}', shows: 'TriggerSmart' },
      { name: 'contracts', at: 'contracts', shows: /contracts$/ },
      { name: 'contract', at: 'contracts/{contract}', shows: '× base price' },
      { name: 'contract-write', at: 'contracts/{contract}?tab=Write', shows: 'transferFrom' },
      { name: 'contract-events', at: 'contracts/{contract}?tab=Events', shows: 'Transfer' },
      { name: 'contract-storage', at: 'contracts/{contract}?tab=Storage', shows: /Variables are not known/ },
      { name: 'transaction', at: 'transactions/{txid}', shows: 'transfer(address,uint256)' },
      { name: 'transaction-changes', at: 'transactions/{txid}?tab=Changes', shows: /Balance/ },
      { name: 'transaction-calls', at: 'transactions/{txid}?tab=Calls', shows: 'Transfer' },
      { name: 'transaction-energy', at: 'transactions/{txid}?tab=Energy', shows: /Energy/ },
      { name: 'transaction-steps', at: 'transactions/{txid}?tab=Steps&step=200', shows: /Stack/ },
      { name: 'transaction-events', at: 'transactions/{txid}?tab=Events', shows: 'Transfer' },
      { name: 'transaction-raw', at: 'transactions/{txid}?tab=Raw', shows: /gettransactionbyid/ },
    ],
  },
  {
    chain: 'energy-factor',
    open: () => chainOfScenario('04-dynamic-energy'),
    states: [
      { name: 'contract', at: 'contracts/{contract}', shows: /epochs/ },
      { name: 'transaction', at: 'transactions/{txid}', shows: /penalty/i },
    ],
  },
  {
    chain: 'delegations',
    open: () => chainOfScenario('05-delegation-locks'),
    states: [
      { name: 'overview', at: '', shows: 'Largest shares of Energy' },
      { name: 'accounts', at: 'accounts', shows: /TRX/ },
    ],
  },
  {
    chain: 'proposal',
    open: () => chainOfScenario('09-proposal-raises-prices'),
    states: [
      { name: 'governance', at: 'governance', shows: 'Approved' },
      { name: 'parameters', at: 'governance?parameter=energy', shows: 'getEnergyFee' },
    ],
  },
  {
    chain: 'open-proposal',
    open: () =>
      chainOf(FIRST_IS_WITNESS, async (devnet) => {
        await propose(devnet, 210);
        await propose(devnet, 420);
        await approve(devnet, 1);
        return {};
      }),
    states: [{ name: 'governance', at: 'governance', shows: '1 of 1 producing witnesses' }],
  },
  {
    chain: 'staked',
    open: () =>
      chainOf({ mining: 'instant', predeploy: ['usdt', 'multicall3', 'wtrx'] }, async (devnet) => {
        await stakedChain(devnet);
        for (let issuer = 4; issuer < 10; issuer++) {
          const { address, builder, send } = clientOf(devnet, issuer);
          const now = Date.now() + DAY_MS;
          const name = issuer === 4 ? '<b>An-issue-with-a-long-name</b>' : `Token${issuer}`;
          const times = { saleStart: now, saleEnd: now + DAY_MS };
          const asset = { name, abbreviation: `T${issuer}`, totalSupply: 1_234_500, precision: 3, url: 'http://x' };
          await send(
            builder.createToken({ ...asset, ...times, description: 'A token', trxRatio: 1, tokenRatio: 1 }, address),
          );
          await send(builder.sendToken(devnet.accounts[0]!.address, 1_000, String(1_000_000 + issuer - 3), address));
        }
        await devnet.snapshot();
        await devnet.snapshot();
        const { address: contract } = await devnet.deploy({
          contractName: LONG_NAME,
          abi: [],
          bytecode: '0x60016000f3',
        });
        return { account: devnet.accounts[0]!.address, shared: devnet.accounts[2]!.address, contract };
      }),
    states: [
      { name: 'accounts', at: 'accounts', shows: '5,700 TRX' },
      { name: 'account', at: 'accounts/{account}', shows: 'Delegated to others' },
      { name: 'account-permissions', at: 'accounts/{shared}', shows: 'threshold 3' },
      { name: 'contracts', at: 'contracts', shows: LONG_NAME },
      { name: 'contract-long-name', at: 'contracts/{contract}', shows: '× base price' },
      { name: 'controls', at: 'controls', shows: 'Go back' },
      {
        name: 'search-matches',
        at: '',
        shows: 'Who paid, by source',
        act: async (page) => {
          await page.getByRole('combobox', { name: 'Search' }).fill('transfer');
          await page.getByRole('option').first().waitFor();
        },
      },
    ],
  },
  {
    chain: 'stake-1',
    open: () => {
      const parameters = { UNFREEZE_DELAY_DAYS: 0, ALLOW_CANCEL_ALL_UNFREEZE_V2: 0, MAX_DELEGATE_LOCK_PERIOD: 86_400 };
      return chainOf({ mining: 'instant', accounts: 55, parameters }, async (devnet) => {
        const { address, builder, send } = clientOf(devnet, 0);
        await send(builder.freezeBalance(300 * TRX, 3, 'ENERGY', address));
        for (const receiver of devnet.accounts.slice(1)) {
          await send(builder.freezeBalance(10 * TRX, 3, 'BANDWIDTH', address, receiver.address));
        }
        return { account: address };
      });
    },
    states: [{ name: 'account', at: 'accounts/{account}', shows: 'Show 50 more accounts' }],
  },
  {
    chain: 'sources',
    open: () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'sunup-screens-'));
      const artifacts = [writeProject('standard-json', 'plain', folder)];
      return chainOf(
        { mining: 'instant', artifacts },
        async (devnet) => {
          const output = compileProject('plain').output as never;
          const sums = await devnet.deploy(output, { contract: 'Sums' });
          const till = await devnet.deploy(output, { contract: 'Till', libraries: { Sums: sums.address } });
          const write = till.write as unknown as Readonly<
            Record<string, (values: readonly unknown[], options?: object) => Promise<{ readonly txid: string }>>
          >;
          const failed = await write.take!([devnet.accounts[1]!.address, 5_000n], { allowFailure: true }).then(
            ({ txid }) => txid,
            (error: { readonly txid?: string }) => error.txid ?? '',
          );
          return { txid: (await write.spin!([3n])).txid, contract: till.address, failed };
        },
        () => rmSync(folder, { recursive: true, force: true }),
      );
    },
    states: [
      { name: 'transaction-calls', at: 'transactions/{txid}?tab=Calls', shows: 'delegatecall' },
      {
        name: 'transaction-energy',
        at: 'transactions/{txid}?tab=Energy',
        shows: /Till\.spin/,
        act: (page) =>
          page
            .locator('.d3-flame-graph-label', { hasText: 'Till.spin' })
            .filter({ visible: true })
            .first()
            .click({ force: true }),
      },
      { name: 'transaction-steps', at: 'transactions/{txid}?tab=Steps&step=300', shows: /Source/ },
      { name: 'transaction-failed', at: 'transactions/{failed}', shows: 'REVERT' },
      { name: 'transaction-failed-calls', at: 'transactions/{failed}?tab=Calls', shows: /TooMuch/ },
    ],
  },
  {
    chain: 'fork',
    open: async () => {
      const network = await createDevnet({ mining: 'instant', predeploy: ['usdt'] });
      const payer = clientOf(network, 0);
      const theirs = await payer.send(payer.builder.sendTrx(network.accounts[1]!.address, 7, payer.address));
      const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
      return chainOf(
        { fork: network.http.url, mining: 'instant', mnemonic },
        async (devnet) => {
          const { address, builder, send } = clientOf(devnet, 0);
          const ours = await send(builder.sendTrx(network.accounts[1]!.address, 5, address));
          await devnet.setChainParameters({ getEnergyFee: 99 });
          return { theirs, ours, account: network.accounts[1]!.address, contract: network.predeployed[0]!.address };
        },
        () => network.close(),
      );
    },
    states: [
      { name: 'overview', at: '', shows: /Fork of/ },
      { name: 'blocks', at: 'blocks', shows: 'network' },
      { name: 'transaction', at: 'transactions/{theirs}', shows: 'network' },
      { name: 'account', at: 'accounts/{account}', shows: 'changed on the fork' },
      { name: 'contract', at: 'contracts/{contract}', shows: '× base price' },
      { name: 'contracts', at: 'contracts', shows: /fork/ },
      { name: 'governance', at: 'governance?parameter=getEnergyFee', shows: 'network 100' },
    ],
  },
  {
    chain: 'scenarios',
    open: () => chainOf({}, async () => ({})),
    states: [
      { name: 'answer', at: 'scenarios?example=02-stake-or-burn', shows: /run 1 has ended/ },
      ...['Plots', 'Tables', 'Energy by call', 'Compare'].map((name) => ({
        name: name.toLowerCase().replaceAll(' ', '-'),
        at: 'scenarios?example=02-stake-or-burn&set=getEnergyFee%3D210',
        shows: /run 2 has ended/,
        act: tab(name),
      })),
    ],
  },
];

/** Opens a state of a screen, complete. */
export async function showState(page: Page, { devnet, places }: OpenChain, state: ScreenState): Promise<void> {
  const at = state.at.replaceAll(/\{(\w+)\}/g, (_, place) => places[place] ?? '');
  await page.goto('about:blank');
  await page.goto(`${devnet.http.url}/#/${at}`);
  await page.locator('body').getByText(state.shows).filter({ visible: true }).first().waitFor();
  await state.act?.(page);
  await settled(page);
}

/** All panels have their answers, and charts are drawn. */
export async function settled(page: Page): Promise<void> {
  // Each in a frame of its own; evaluated, because the page's policy forbids what would wait for it there.
  while (!(await page.evaluate(IS_SETTLED)));
}

/** Flame charts take a few frames to reach their width. */
const IS_SETTLED = `(() => {
  const frames = () => [...document.querySelectorAll('.flame rect')].map((frame) => frame.getAttribute('width')).join();
  const before = frames();
  return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(
    () => document.querySelector('.loading') === null && frames() === before &&
      [...document.querySelectorAll('canvas')].every(({ width }) => width > 0));
})()`;
