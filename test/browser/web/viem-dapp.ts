import {
  type Account,
  createPublicClient,
  createWalletClient,
  custom,
  http,
  parseAbi,
  recoverTypedDataAddress,
  webSocket,
} from 'viem';
import { type Address, RPC_URL, startDapp, TYPED_DATA, typedDomain } from './dapp.js';

const TOKEN = parseAbi([
  'function transfer(address to, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

startDapp((injected) => {
  const wallet = createWalletClient({ transport: custom(injected) });
  // Reads and events go from the page to the node, not through the wallet.
  const node = createPublicClient({ transport: http(RPC_URL), pollingInterval: 50 });
  const account = async () => (await wallet.getAddresses())[0] as unknown as Account;
  return {
    async connect() {
      return (await wallet.requestAddresses())[0] as Address;
    },
    balanceOf: (address) => node.getBalance({ address }),
    async deploy({ abi, bytecode }, supply) {
      const hash = await wallet.deployContract({
        abi,
        bytecode,
        args: [supply] as never,
        account: await account(),
        chain: null,
      });
      return (await node.waitForTransactionReceipt({ hash })).contractAddress as Address;
    },
    async transfer(_token, address, to, amount) {
      const hash = await wallet.writeContract({
        abi: TOKEN,
        address,
        functionName: 'transfer',
        args: [to, amount],
        account: await account(),
        chain: null,
      });
      return (await node.waitForTransactionReceipt({ hash })).status;
    },
    async watch(_token, address, told) {
      const socket = createPublicClient({ transport: webSocket(RPC_URL.replace('http', 'ws')) });
      socket.watchContractEvent({
        abi: TOKEN,
        address,
        eventName: 'Transfer',
        onLogs: (logs) => {
          for (const { args } of logs) told(args.to as string, args.value as bigint);
        },
      });
      // One connection: the subscription was made when this is answered.
      await socket.getChainId();
    },
    async sign(chainId) {
      const data = { ...TYPED_DATA, domain: typedDomain(chainId) };
      const signature = await wallet.signTypedData({ ...data, account: await account() });
      return await recoverTypedDataAddress({ ...data, signature });
    },
  };
});
