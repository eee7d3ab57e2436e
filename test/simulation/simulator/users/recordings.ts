/**
 * Somebody who follows a chain that was recorded from a java-tron, on a machine of bad luck: the node is closed, killed,
 * without power, rolled back, and goes on. Each block, receipt, account and row is compared with java-tron's. The users
 * of a world have no second implementation of the network's rules to compare with; this one has its results.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AnswerChecker } from '../../../../scripts/verify/answers.js';
import type { Asker } from '../../../../scripts/verify/asker.js';
import { type AnswerLine, type Recording, readRecording } from '../../../../scripts/verify/recording.js';
import { describe, openRecordedNode, replay } from '../../../../scripts/verify/replay.js';
import type { Node } from '../../../../src/node/node.js';
import { LevelStore } from '../../../../src/node/storage/level-store.js';
import type { Choices } from '../../wild-messages.js';
import { type DiskProcess, PLACE, VirtualDatabase } from '../disk/virtual-database.js';
import { VirtualDisk } from '../disk/virtual-disk.js';
import { Violation } from '../run/violation.js';
import type { World } from '../run/world.js';
import { inProcessAskers } from './recorded-questions.js';
import type { User } from './user.js';

const RECORDINGS = fileURLToPath(new URL('../../../../fixtures/recorded/', import.meta.url));
const INVARIANT = 'java-tron gives the same';
const CHAIN = 'chain.ndjson.gz';

/** Of four times the bytes a half as often: long ones take seconds, and only they have some rules of the machine. */
function chosen(choices: Choices): string {
  const all = readdirSync(RECORDINGS)
    .filter((name) => existsSync(path.join(RECORDINGS, name, CHAIN)))
    .sort()
    .map((name) => ({ name, share: 1 / Math.sqrt(statSync(path.join(RECORDINGS, name, CHAIN)).size) }));
  let left = (choices.below(2 ** 31) / 2 ** 31) * all.reduce((sum, { share }) => sum + share, 0);
  const one = all.find(({ share }) => {
    left -= share;
    return left < 0;
  });
  return path.join(RECORDINGS, (one ?? all[0])?.name ?? '');
}

/** Blocks between two interruptions. */
const BLOCKS_ALONE = 80;
const DEEPEST = 30;
/** Asked in one step; a recording has up to some thousands. */
const MOST_ANSWERS = 250;

type Mishap = (node: Node) => Promise<Node | undefined>;

/** A machine that does not let a node of the recorded network alone. */
class UnluckyMachine {
  readonly #disk = new VirtualDisk();
  #process: DiskProcess & { isAlive: boolean };
  #blocksAlone: number;

  constructor(
    private readonly recording: Recording,
    private readonly world: Pick<World, 'clock' | 'choices'>,
  ) {
    this.#process = { isAlive: false, clock: world.clock.forProcess(() => true) };
    this.#blocksAlone = world.choices.below(BLOCKS_ALONE);
  }

  /** The node on what the disk has. */
  async start(): Promise<Node> {
    this.#process = { ...this.#process, isAlive: true };
    const database = new VirtualDatabase(this.#disk, this.#process);
    await database.open();
    const settings = { ...this.recording.settings, vmLimit: undefined };
    return openRecordedNode(this.recording, settings, new LevelStore(database, { place: PLACE }));
  }

  readonly interrupt: Mishap = async (node) => {
    if (this.#blocksAlone-- > 0) return undefined;
    const { choices } = this.world;
    this.#blocksAlone = choices.below(BLOCKS_ALONE);
    return choices.of([this.#rollBack, this.#restart, this.#kill, this.#losePower])(node);
  };

  readonly #rollBack: Mishap = async (node) => {
    const { headNumber } = node.chain;
    node.chain.back.to(headNumber - this.world.choices.below(Math.min(DEEPEST, headNumber)));
    return node;
  };

  readonly #restart: Mishap = async (node) => {
    await node.close();
    return this.start();
  };

  readonly #kill: Mishap = async () => {
    this.#process.isAlive = false;
    return this.start();
  };

  readonly #losePower: Mishap = async () => {
    this.#process.isAlive = false;
    this.#disk.losePower(this.world.choices);
    return this.start();
  };
}

export const followARecording: User = async ({ world }) => {
  const { choices } = world;
  const recording = readRecording(chosen(choices));
  const machine = new UnluckyMachine(recording, world);
  const share = Math.min(1, MOST_ANSWERS / recording.answers.length);
  // A filter is used by the id that its making answered.
  const isAsked = ({ note = '' }: AnswerLine) => /filter/.test(note) || choices.chance(share);
  const checker = new AnswerChecker(recording.answers, isAsked);
  let askers: readonly Asker[] | undefined;
  const atHead = async (node: Node, block: number, afterRefusals: boolean) => {
    askers ??= await inProcessAskers(node);
    await checker.askAt(block, askers, afterRefusals);
  };
  const mode = choices.of(['import', 'produce'] as const);
  // Answers depend on what was refused, and is pending, in the same process.
  const luck = mode === 'produce' && choices.chance(0.5) ? { atHead } : { interrupt: machine.interrupt };
  const node = await machine.start();
  const { findings, blocks, rows } = await replay(recording, mode, { node, maxFindings: 1, ...luck });
  const { asked, wrong } = checker.report();
  world.digest.add('answer', `${recording.name} ${mode}: ${blocks} blocks, ${rows} rows, ${asked} answers`);
  const [finding] = findings;
  if (finding !== undefined) throw new Violation(INVARIANT, `${recording.name} (${mode}): ${describe(finding)}`);
  const [answer] = wrong;
  if (answer !== undefined)
    throw new Violation(INVARIANT, `${recording.name}: ${JSON.stringify(answer).slice(0, 3_000)}`);
};
