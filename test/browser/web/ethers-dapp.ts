import { BrowserProvider, Contract, ContractFactory, verifyTypedData } from 'ethers';
import { type Address, startDapp, TYPED_DATA, typedDomain } from './dapp.js';

startDapp((injected) => {
  const provider = new BrowserProvider(injected, 'any', { pollingInterval: 50, cacheTimeout: -1 });
  const { message } = TYPED_DATA;
  const types = { Order: [...TYPED_DATA.types.Order] };
  return {
    async connect() {
      return (await (await provider.getSigner()).getAddress()) as Address;
    },
    balanceOf: (account) => provider.getBalance(account),
    async deploy({ abi, bytecode }, supply) {
      const contract = await new ContractFactory(abi, bytecode, await provider.getSigner()).deploy(supply);
      await contract.waitForDeployment();
      return (await contract.getAddress()) as Address;
    },
    async transfer({ abi }, contract, to, amount) {
      const token = new Contract(contract, abi, await provider.getSigner());
      const sent = await token.getFunction('transfer')(to, amount);
      return (await sent.wait()).status === 1 ? 'success' : 'reverted';
    },
    async watch({ abi }, contract, told) {
      const token = new Contract(contract, abi, provider);
      await token.on('Transfer', (_from: string, to: string, amount: bigint) => told(to, amount));
    },
    async sign(chainId) {
      const domain = typedDomain(chainId);
      const signature = await (await provider.getSigner()).signTypedData(domain, types, message);
      return verifyTypedData(domain, types, message, signature);
    },
  };
});
