/**
 * Reads fixtures/scenarios/11-on-a-live-network.rows, from which that scenario runs without a network: of a devnet in the
 * network's place, with a token in demand whose issuer pays a part of it. The same devnet gives the same rows.
 *
 *     rm -r fixtures/scenarios/11-on-a-live-network.rows
 *     npx tsx scripts/fork-fixture.ts && npx tsx scripts/scenario-digests.ts
 */

import { fileURLToPath } from 'node:url';
import { createDevnet } from '../src/index.js';
import { runScenario } from '../src/run-scenario.js';

const TRX = 1_000_000;
const network = await createDevnet({
  preset: 'mainnet@2025-09',
  networkStake: 'mainnet@2025-12',
  genesisTime: '2026-01-01T00:00:00Z',
  balance: 100_000,
});
const [issuer, exchange, shop] = network.accounts;
const dollar = await network.deploy(fileURLToPath(new URL('../fixtures/contracts/Dollar.json', import.meta.url)), {
  from: issuer!,
  args: [10n ** 15n, 'Dollar', 'USD', 6],
  userFeePercent: 60,
  originEnergyLimit: 20_000,
});
await dollar.write.transfer([exchange!, 10n ** 12n]);
await dollar.write.transfer([shop!, 10n ** 6n]);
await network.setStake(issuer!.address, { energy: 4_000 * TRX });
await network.setStake(exchange!.address, { energy: 5_000 * TRX });
await network.mine({ advanceMs: 4 * 6 * 3_600_000 });
await network.setContractEnergy(dollar.address, { energyFactor: 5_000 });
await network.mine(20);

const { digest, differences } = await runScenario(
  new URL('../fixtures/scenarios/11-on-a-live-network.scenario.yaml', import.meta.url),
  {
    fork: network.http.url,
    forkOffline: false,
  },
);
console.log([digest, ...differences].join('\n'));
await network.close();
