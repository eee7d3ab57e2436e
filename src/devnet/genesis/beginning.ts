import type { ChainFile } from '../../chain-file/reader.js';
import type { GenesisContract } from '../../ledger/genesis/genesis-contracts.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import type { GenesisFile } from '../../options/genesis-file.js';
import type { DevnetGenesis } from './genesis.js';

/** What the chain begins with: the options, or a dump. */
export async function beginning(
  settings: Settings,
  own: DevnetGenesis,
): Promise<{ readonly dump: ChainFile | undefined; readonly made: DevnetGenesis }> {
  if (settings.loadState === undefined) return { dump: undefined, made: own };
  const { begunByDump, readDumpOption } = await import('./load-dump.js');
  const dump = await readDumpOption(settings.loadState);
  return { dump, made: begunByDump(own, dump, settings) };
}

/** The checker of its shape is loaded only where there is one. */
export async function genesisFile(given: Settings['genesis']): Promise<GenesisFile> {
  if (given === undefined) return {};
  const { readGenesisFile } = await import('../../options/genesis-file.js');
  return readGenesisFile(given);
}

/** Their code is loaded only where there are some. */
export async function genesisContracts(
  { predeploy }: Settings,
  accounts: readonly DevAccount[],
): Promise<readonly GenesisContract[]> {
  if (predeploy === undefined) return [];
  const { predeployedContracts } = await import('./predeployed.js');
  return predeployedContracts(predeploy, accounts);
}
