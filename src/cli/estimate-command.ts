/**
 * `sunup estimate`: the cost of a transaction before it is sent, also at higher Energy factors and with other values.
 */

import { Command } from 'commander';
import { abiOfAnswer } from '../contracts/known-abis.js';
import { NETWORK_OPTIONS, type NetworkOptions } from '../options/network-options.js';
import { lacksUnit, sunOfText } from '../primitives/coin-text.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { wrapped } from '../prose/explanation.js';
import { toBase58 } from '../protocol/address.js';
import { addressFault } from '../protocol/address-fault.js';
import { addressOfText } from '../protocol/address-text.js';
import { sectionTable } from '../scenario/report/table.js';
import { type PreviewAnswer, previewSettings, readVariations, settingTable } from './estimate-what-if.js';
import { withForkOptions } from './fork-options.js';
import { askRpc, askWallet, nodeUrl, RemoteError, readJson } from './node-client.js';
import { type NodeOptions, run, withNodeOptions } from './node-command.js';
import { onOwnFork } from './own-fork.js';
import type { Terminal } from './terminal.js';

/** The fork here is asked through HTTP, so its request timeout applies. */
const FORK_OPTIONS = [...NETWORK_OPTIONS, 'forkTimeout'] as const;

interface EstimateOptions extends NodeOptions, NetworkOptions {
  readonly forkTimeout?: number;
  readonly from?: string;
  readonly value?: string;
  readonly whatIf: readonly string[];
}

const HELP = `
The subject is a contract with a method and its arguments; or the txid of a transaction of the chain, which runs
again in its place; or a call or transaction as JSON.

Arguments: addresses as T…, 41… or 0x…, numbers as digits (5_000_000), arrays and tuples as JSON.
If the ABI on the chain does not have the method, write it with its types.

--what-if gives a table with a row for each value, or each combination of values. NAME is a chain parameter
(getEnergyFee), preset, feeLimit, or one of accounts.WHO.stake.energy, .stake.bandwidth, .stake.tronPower, .balance,
contracts.WHICH.energyFactor, .energyUsed; WHO is sender, deployer or an address, WHICH is called or an address.

Examples:
  sunup estimate TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t transfer TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C 5_000_000 --from TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6
  sunup estimate CONTRACT transfer TO 5_000_000 --from HOLDER --fork https://api.trongrid.io --fork-cache ./fork
  sunup estimate TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t 'approve(address,uint256)' T… 1 --from T… --json
  sunup estimate TXID --what-if getEnergyFee=100,210 --what-if 'accounts.sender.stake.energy=0..20_000 TRX/5'
  sunup estimate '{"from":"T…","to":"T…","value":1}'`;

/** @returns the exit code */
export function runEstimate(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('sunup')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const command = program
    .command('estimate <subject> [method] [args...]')
    .description('estimate the cost of a transaction, who pays it, and a sufficient feeLimit; nothing is sent')
    .option('--from <address>', 'the caller of a contract')
    .option('--value <amount>', 'TRX to send with the call: 5 TRX, 100 sun')
    .option(
      '--what-if <name=values>',
      'the cost with other values: getEnergyFee=100,210, accounts.sender.stake.energy=0..20_000 TRX/5, contracts.called.energyFactor=34000; several options give all combinations',
      (given: string, all: readonly string[]) => [...all, given],
      [],
    )
    .addHelpText('after', HELP);
  withForkOptions(command, FORK_OPTIONS);
  let isSuccess = true;
  withNodeOptions(command).action(
    async (typed: string, method: string | undefined, args: readonly string[], options: EstimateOptions) => {
      const subjectOn = subjectOf(typed, method, args, options);
      const variations = readVariations(options.whatIf);
      const text = await onNode(options, terminal, async (node) => {
        const subject = await subjectOn(node);
        const preview = async (previewOptions: object) =>
          (await askRpc(node, 'tron_preview', [subject, previewOptions])) as PreviewAnswer;
        if (variations.length > 0) {
          const outcomes = await previewSettings(variations, (changes) => preview({ changes }));
          return options.json ? `${JSON.stringify({ outcomes })}\n` : settingTable(variations, outcomes);
        }
        const answer = await preview({ higherFactors: true });
        isSuccess = (answer.limits ?? answer).outcome.succeeded;
        return options.json ? `${JSON.stringify(answer)}\n` : shown(answer);
      });
      terminal.out(text);
    },
  );
  return run(program, words, terminal).then((code) => (code === 0 && !isSuccess ? 1 : code));
}

/** The first parameter of tron_preview. The ABI on the chain encodes a method's arguments. @throws RemoteError */
function subjectOf(
  typed: string,
  method: string | undefined,
  args: readonly string[],
  { from: caller, value: amount }: EstimateOptions,
): (node: URL) => Promise<unknown> {
  const isContract = !/^(0x)?[\da-f]{64}$/i.test(typed) && !/^\s*\{/.test(typed);
  if (!isContract) {
    if (method !== undefined || caller !== undefined || amount !== undefined)
      throw new RemoteError('a method, --from and --value belong to a contract, not to a transaction', 2);
    const subject = /^\s*\{/.test(typed) ? readJson(typed) : typed;
    return () => Promise.resolve(subject);
  }
  const to = addressOf(typed, 'the contract');
  if (caller === undefined) throw new RemoteError('--from is missing: say who calls the contract', 2);
  const from = addressOf(caller, '--from');
  const value = sunOf(amount);
  return async (node) => {
    const data = method === undefined ? '' : await encoded(node, to, method, args.map(argumentOf));
    return { from, to, data: `0x${data}`, value };
  };
}

/** Sends the request to the running node, or to a fork that is started for it. */
function onNode<Answer>(
  options: EstimateOptions,
  terminal: Terminal,
  ask: (node: URL) => Promise<Answer>,
): Promise<Answer> {
  if (options.fork === undefined && !options.forkOffline) return ask(nodeUrl(options.url, process.env));
  return onOwnFork(Object.fromEntries(FORK_OPTIONS.map((name) => [name, options[name]])), terminal, ask);
}

function addressOf(text: string, what: string): Address {
  const address = addressOfText(text);
  if (address === undefined) throw new RemoteError(`${what}: ${text} is not a valid address${addressFault(text)}`, 2);
  return address;
}

function sunOf(text = '0 sun'): number {
  const sun = sunOfText(text);
  if (sun === undefined || lacksUnit(text))
    throw new RemoteError(`--value: ${text} is not an amount with a unit. Write 5 TRX or 100 sun`, 2);
  return Number(sun);
}

/** Parses arrays, tuples, quoted text and booleans as JSON; everything else is text. */
function argumentOf(typed: string): unknown {
  return /^([[{"]|true$|false$)/.test(typed) ? readJson(typed) : typed;
}

async function encoded(node: URL, contract: Address, method: string, args: readonly unknown[]): Promise<Hex> {
  const answer = await askWallet(node, 'getcontract', { value: contract });
  if (Object.keys(answer).length === 0) throw new RemoteError(`no contract at ${toBase58(contract)}`);
  const [{ callData }, { encodeValues }] = await Promise.all([
    import('../contracts/call-data.js'),
    import('../abi/encode-values.js'),
  ]);
  try {
    return callData(abiOfAnswer(answer)?.abi, method, args, { encodeValues, addressOf: addressOfText }).data;
  } catch (error) {
    if (error instanceof TypeError) throw new RemoteError(error.message, 2);
    throw error;
  }
}

function shown({ limits, text }: PreviewAnswer): string {
  if (limits === undefined) return `${wrapped(text).join('\n')}\n`;
  const words = `${wrapped(limits.text).join('\n')}\n`;
  return limits.now === undefined ? words : `${words}\n${casesTable(limits, limits.now)}\n`;
}

type Limits = NonNullable<PreviewAnswer['limits']>;
type Case = NonNullable<Limits['now']>;

/** One row for each set of factors. */
function casesTable({ atHigherFactors = [], deployer }: Limits, now: Case): string {
  return sectionTable({
    title: '',
    columns: [
      { name: 'factors', kind: 'text' },
      { name: 'factor', kind: 'text' },
      { name: 'Energy', kind: 'number' },
      { name: 'penalty', kind: 'number' },
      ...(deployer === undefined ? [] : [{ name: "deployer's part", kind: 'number' as const }]),
      { name: 'fee with current stake', kind: 'coin' },
      { name: 'fee without stake', kind: 'coin' },
      ...(deployer === undefined ? [] : [{ name: 'fee without deployer', kind: 'coin' as const }]),
      { name: 'stake for no fee', kind: 'coin' },
      { name: 'feeLimit', kind: 'coin' },
    ],
    rows: [now, ...atHigherFactors].map((one) => [
      caseName(one),
      String(one.factor),
      one.energy,
      one.penalty,
      ...(deployer === undefined ? [] : [one.deployerEnergy]),
      one.energyFeeSun,
      one.burnAllSun,
      ...(deployer === undefined ? [] : [one.burnAloneSun]),
      one.stakeSun === 'more-than-there-is' ? undefined : one.stakeSun,
      one.feeLimitSun === 'beyond-the-maximum' ? undefined : one.feeLimitSun,
    ]),
  });
}

function caseName({ epochs, result }: Case): string {
  const failure = result === 'SUCCESS' ? '' : `: ${result}`;
  if (epochs === 'cap') return `at the maximum factor${failure}`;
  return (epochs === 0 ? 'now' : `after ${epochs} busy epoch${epochs === 1 ? '' : 's'}`) + failure;
}
