/**
 * Signed transfers a second as a gRPC client sees them: `BroadcastTransaction` from another process, mined into blocks
 * four times a second and committed to LevelDB. The reference is a bare server of the same library.
 */

import { type Bench, milliseconds } from './bench.js';
import { broadcastElsewhere, plainGrpcServer } from './grpc-load.js';
import { inScratchDirectory } from './scratch.js';
import { signedTransfer } from './signed-transactions.js';
import { startCommand } from './sunup-command.js';
import { expectAllMined, headOf } from './transfers-over-http.js';

const TRANSFERS = 20_000;
const WARM_UP = 5_000;
const CONNECTIONS = 8;
const MINE_EVERY_MS = 250;

export const bench: Bench = {
  about: 'signed transfers per second over gRPC, mined and committed to LevelDB',

  async *measure(progress) {
    yield await inScratchDirectory(async (directory) => {
      const options = ['--manual', '--db', directory, '--accounts', '200', '--pool-size', '1000000', '--quiet'];
      const command = await startCommand(options, true);
      progress(`signing ${WARM_UP + TRANSFERS} transfers`);
      const reference = await headOf(command);
      const transactions = Array.from({ length: WARM_UP + TRANSFERS }, (_, nonce) => {
        const { privateKey } = command.accounts[nonce % command.accounts.length]!;
        const to = command.accounts[(nonce * 7 + 13) % command.accounts.length]!.addressHex;
        return signedTransfer(privateKey, to, 1n, { reference, nonce }).bytes;
      });
      const [warmUp, measured] = [transactions.slice(0, WARM_UP), transactions.slice(WARM_UP)];

      progress(`sending ${transactions.length} transfers`);
      const send = async (some: readonly Uint8Array[]) => {
        const timer = setInterval(() => void command.post('/sunup/mine'), MINE_EVERY_MS);
        const load = { port: command.grpcPort!, transactions: some, connections: CONNECTIONS };
        const { seconds } = await broadcastElsewhere(load);
        clearInterval(timer);
        return seconds + (await milliseconds(() => command.post('/sunup/mine'))) / 1000;
      };
      await send(warmUp);
      const seconds = await send(measured);
      await expectAllMined(command, transactions.length);
      await command.stop();

      progress('the same to a bare server');
      const plain = await plainGrpcServer();
      const load = (some: readonly Uint8Array[]) =>
        broadcastElsewhere({ port: plain.port, transactions: some, connections: CONNECTIONS });
      await load(warmUp);
      const answered = await load(measured);
      plain.process.kill();
      return {
        name: `BroadcastTransaction, ${CONNECTIONS} connections`,
        value: TRANSFERS / seconds,
        unit: '/s',
        reference: { name: 'bare @grpc/grpc-js', value: TRANSFERS / answered.seconds },
        aim: { of: 'ratio', atLeast: 0.3 },
      };
    });
  },
};
