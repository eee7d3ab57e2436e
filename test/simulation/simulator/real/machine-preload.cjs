/**
 * Loaded into a process of the command before the command: the machine under it, as far as the process can see it. The
 * time of day differs from this machine's, and LevelDB's writes take long. `real-machine.ts` writes by how much into the
 * file that the environment names, and sends SIGUSR2.
 */

const { readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

let machine = { jumpedMs: 0, slowMs: 0 };
const look = () => {
  machine = JSON.parse(readFileSync(process.env.SUNUP_SIMULATED_MACHINE, 'utf8'));
};
look();
// Threads of the process ask for no time, and write no batches.
if (isMainThread) process.on('SIGUSR2', look);

const OwnDate = Date;
class SetDate extends OwnDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [SetDate.now()] : parts));
  }
  static now() {
    return OwnDate.now() + machine.jumpedMs;
  }
}
Object.defineProperty(SetDate, 'name', { value: 'Date' });
globalThis.Date = SetDate;

const load = process.dlopen;
process.dlopen = function (addon, ...rest) {
  load.call(this, addon, ...rest);
  const { batch_write: write } = addon.exports;
  if (write === undefined) return;
  addon.exports.batch_write = async (...batch) => {
    if (machine.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, machine.slowMs));
    return write(...batch);
  };
};
