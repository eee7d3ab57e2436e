import { readFileSync } from 'node:fs';
import { createPublicClient, createWalletClient, http, parseEventLogs } from 'viem';

// Connect. The node signs for its own accounts.
const transport = http(`${process.env.SUNUP_URL ?? 'http://127.0.0.1:9090'}/eth`);
const client = createPublicClient({ transport, pollingInterval: 50 });
const wallet = createWalletClient({ transport });
const [account, receiver] = await wallet.getAddresses();

// Send: 1 TRX is 1,000,000 sun
const sent = await wallet.sendTransaction({ account, to: receiver, value: 1_000_000n, chain: null });
await client.waitForTransactionReceipt({ hash: sent });
console.log('receiver', await client.getBalance({ address: receiver }), 'sun');

// Deploy
const { abi, bytecode } = JSON.parse(readFileSync('Counter.json', 'utf8'));
const deployed = await wallet.deployContract({ account, abi, bytecode: `0x${bytecode}`, chain: null });
const { contractAddress: address } = await client.waitForTransactionReceipt({ hash: deployed });
console.log('contract', address);

// Estimate, then call
const call = { account, address, abi, functionName: 'add', args: [5n] };
console.log('estimate', await client.estimateContractGas(call), 'gas');
const hash = await wallet.writeContract({ ...call, chain: null });
const receipt = await client.waitForTransactionReceipt({ hash });
console.log('total', await client.readContract({ address, abi, functionName: 'total' }));
const [event] = parseEventLogs({ abi, logs: receipt.logs });
console.log('event', event.eventName, event.args.amount);

// Read the cost
console.log('cost', receipt.gasUsed * receipt.effectiveGasPrice, 'sun; sunup explain', hash.slice(2));
