/** Records a running devnet into a file (`--record FILE`). */

import type { Follower } from '../../devnet/running/start.js';
import type { Settings } from '../../options/declarations.js';
import { OptionError } from '../../options/option-error.js';

/** The follower that writes the recording; undefined without `--record`. It creates the file when the chain is open. */
export async function recordingOf({ record, log }: Settings): Promise<Follower | undefined> {
  if (record === undefined) return undefined;
  const [{ Recorder }, { NewFile }] = await Promise.all([
    import('./recorder.js'),
    import('../../platform/new-file.js'),
  ]);
  let file: InstanceType<typeof NewFile> | undefined;
  const write = (lines: string) => {
    try {
      file?.write(lines);
    } catch (error) {
      // A failed write ends the recording; the chain goes on.
      file?.close();
      file = undefined;
      log?.error(`${record} cannot be written on, and ends with the last step that is in it; the chain goes on`, error);
    }
  };
  const recorder = new Recorder(write);
  return {
    observer: recorder.observer,
    controls: recorder.controls,
    async begin({ chain }) {
      try {
        file = new NewFile(record);
      } catch (error) {
        throw new OptionError(
          'record',
          `cannot be written: ${(error as Error).message}`,
          'Name a file that is not there',
        );
      }
      await recorder.begin(chain, 'recorded from a running devnet');
    },
    end() {
      const waiting = recorder.end();
      if (waiting > 0)
        log?.warn(
          `${record}: ${waiting} transaction${waiting === 1 ? '' : 's'} waited for a block; in the recording ${waiting === 1 ? 'it is' : 'they are'} dropped (RECORDING_ENDED)`,
        );
      file?.close();
    },
  };
}
