/**
 * Users of a real node who type commands instead of asking over an interface: what a command prints is what the node
 * answers, and the files it writes stand for the chain of then.
 */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Violation } from '../run/violation.js';
import type { Answer } from '../users/asker.js';
import { CommandProcess } from './command-process.js';
import type { RealHost, RealUser } from './real-host.js';
import type { RealWorld } from './real-world.js';

/** A command to the running node. @returns its result as an interface would answer it; undefined: the process has ended */
export async function byCommand(world: RealWorld, ...words: string[]): Promise<Answer> {
  const { process } = world;
  const { code, output, errors } = await world.run(...words, '--url', world.connections.ready.http.url);
  if (!process.isAlive) return undefined;
  if (code !== 0 && !world.diskFails && /\n {4}at |^$/.test(errors))
    throw new Violation('no error without a name', `sunup ${words.join(' ')}: ${code} ${errors}`);
  return code === 0 ? `200 ${output}` : `500 ${errors}`;
}

/** @returns the chain file in base64 */
export async function dumpByCommand(world: RealWorld): Promise<string | undefined> {
  const file = world.folder.beside('command.dump');
  const answer = await byCommand(world, 'dump', file, '--json');
  if (answer?.startsWith('200') !== true) return undefined;
  const text = readFileSync(file).toString('base64');
  rmSync(file);
  return text;
}

export async function loadByCommand(world: RealWorld, dump: string): Promise<Answer> {
  const file = world.folder.beside('command.dump');
  writeFileSync(file, Buffer.from(dump, 'base64'));
  const answer = await byCommand(world, 'load', file, '--json');
  rmSync(file);
  return answer;
}

/** Both explain a transaction of the past in the same way. */
export const explain: RealUser = async ({ world, asker, people }) => {
  if (people.sent.length === 0) return;
  const { txId } = world.choices.of(people.sent);
  const ask = () => asker.get(`/sunup/explain?txid=${txId}`);
  const before = await ask();
  if (before === undefined) return;
  const printed = await byCommand(world, 'explain', txId, '--json');
  if (printed === undefined || (await ask()) !== before) return;
  const isSame = before.startsWith('200')
    ? printed.startsWith('200') && sameJson(before.slice(4), printed.slice(4))
    : printed.startsWith('500');
  if (!isSame) throw new Violation('a command says what the node says', `explain: ${before}\nbut\n${printed}`);
};

function sameJson(one: string, other: string): boolean {
  return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
}

/** The recording of a running node, and the one of its directory: each runs again, with the same digest. */
export const record: RealUser = async (host) => {
  const { world } = host;
  if (world.diskFails) return;
  const [ofNode, ofDirectory] = [world.folder.beside('node.chain'), world.folder.beside('directory.chain')];
  let [answer, copy]: [Answer, string | undefined] = [undefined, undefined];
  await world.settleDown(async () => {
    answer = await byCommand(world, 'record', ofNode);
    copy = await world.image();
  });
  if (answer === undefined || copy === undefined) return;
  const from = await world.run('record', ofDirectory, '--from', copy);
  const runs = [await world.run('run', ofNode, '--json'), await world.run('run', ofDirectory, '--json')];
  const digests = runs.map(({ output }) => /"digest":"([0-9a-f]{64})"/.exec(output)?.[1]);
  for (const file of [ofNode, ofDirectory, copy]) rmSync(file, { recursive: true });
  const failed = [from, ...runs].find(({ code }) => code !== 0);
  if (failed !== undefined || digests[0] !== digests[1] || digests[0] === undefined)
    throw new Violation(
      'a recording is the same chain',
      `${digests.join(' and ')}; ${failed?.code} ${failed?.errors} ${failed?.output.slice(-2_000)}`,
    );
};

/** A fork in a process of its own has the accounts of the node, which stands still meanwhile. */
export const fork: RealUser = async (host) => {
  const { world } = host;
  if (world.diskFails || world.miningMode === 'interval') return;
  if (/"txId": ?\["/.test((await host.asker.post('/wallet/gettransactionlistfrompending', {})) ?? '"txId":["')) return;
  const here = await balances(host);
  const words = ['--fork', world.connections.ready.http.url, '--json', '--instant', '--accounts', '0'];
  words.push('--http-port', '0', '--grpc-port', 'off', '--grpc-solidity-port', 'off');
  const process = new CommandProcess(world.command, words);
  const ready = await process.ready;
  if (ready === undefined)
    throw new Violation('a fork of the node has its accounts', `the fork does not start: ${process.errors}`);
  const there = await Promise.all(here.map(({ body }) => postTo(`${ready.http.url}/eth`, body)));
  await process.kill();
  const wrong = here.find(({ answer }, i) => answer !== undefined && answer.slice(4).trim() !== there[i]?.trim());
  if (wrong !== undefined && world.isRunning)
    throw new Violation(
      'a fork of the node has its accounts',
      `${wrong.body}: ${wrong.answer} but ${there[here.indexOf(wrong)]}`,
    );
};

async function balances({ people, asker }: RealHost): Promise<{ body: string; answer: Answer }[]> {
  const all: { body: string; answer: Answer }[] = [];
  for (let i = 0; i < 6; i++) {
    const params = [`0x${people.address(i).slice(2)}`, 'latest'];
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params };
    all.push({ body: JSON.stringify(body), answer: await asker.post('/eth', body) });
  }
  return all;
}

async function postTo(url: string, body: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return answer.text();
}
