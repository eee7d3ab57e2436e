import type { ChainFile } from '../../chain-file/reader.js';
import type { GenesisContract } from '../../ledger/genesis/genesis-contracts.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import type { GenesisFile } from '../../options/genesis-file.js';
import type { DevnetGenesis } from './genesis.js';

/** The genesis of the chain: from the options, or from a dump. */
export async function beginning(
  settings: Settings,
  own: DevnetGenesis,
): Promise<{ readonly dump: ChainFile | undefined; readonly genesis: DevnetGenesis }> {
  if (settings.loadState === undefined) return { dump: undefined, genesis: own };
  const { genesisOfDump, readDumpOption } = await import('./load-dump.js');
  const dump = await readDumpOption(settings.loadState);
  return { dump, genesis: genesisOfDump(own, dump, settings) };
}

/** The schema is loaded only if there is a file. */
export async function genesisFile(given: Settings['genesis']): Promise<GenesisFile> {
  if (given === undefined) return {};
  const { readGenesisFile } = await import('../../options/genesis-file.js');
  return readGenesisFile(given);
}

/** Their code is loaded only if there are some. */
export async function genesisContracts(
  { predeploy }: Settings,
  accounts: readonly DevAccount[],
): Promise<readonly GenesisContract[]> {
  if (predeploy === undefined) return [];
  const { predeployedContracts } = await import('./predeployed.js');
  return predeployedContracts(predeploy, accounts);
}
