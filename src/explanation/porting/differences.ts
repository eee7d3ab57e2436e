/**
 * The list of what behaves differently on TRON than on Ethereum. A report lists the entries that its run met; the guide
 * (docs/how-to/port-from-ethereum.md) lists all.
 */

/**
 * `breaks`: the same code has a different result. `check`: may matter, depending on the purpose of the code. `note`: a cost,
 * or something outside the contract.
 */
export type Weight = 'breaks' | 'check' | 'note';

export interface Difference {
  readonly id: string;
  readonly weight: Weight;
  /** What the run did. */
  readonly title: string;
  readonly onEthereum: string;
  readonly onTron: string;
  readonly whatToDo: string;
  /** Page and anchor under docs/. */
  readonly rule: string;
  /** `run`: reports list where a run met it. `always`: true for every contract, so no report lists it. */
  readonly found: 'run' | 'always';
}

const CREATIONS = 'protocol/calls.md#create-create2-and-code-deposit';
const OPCODES = 'protocol/opcodes.md#table';
const LIMITS = 'protocol/virtual-machine.md#limits';
const PRECOMPILES = 'protocol/precompiles.md#as-on-ethereum-with-differences';

const entries = {
  // The same code has a different result.
  'create2-prediction': {
    weight: 'breaks',
    title: 'predicts a CREATE2 address with the prefix 0xff',
    onEthereum: 'CREATE2: hash with the prefix `ff`',
    onTron: 'the prefix is `41`, so the predicted address is not the one of the contract',
    whatToDo: 'use `bytes1(0x41)` in Solidity and in scripts that predict',
    rule: CREATIONS,
  },
  'create-prediction': {
    weight: 'breaks',
    title: 'predicts a CREATE address from creator and nonce',
    onEthereum: 'CREATE: hash of creator and nonce',
    onTron: 'hash of the transaction id and a counter; nothing in a contract can predict it',
    whatToDo: 'use CREATE2, or read the address from the result or from an event',
    rule: CREATIONS,
  },
  'long-address': {
    weight: 'breaks',
    title: 'uses an address with 21 bytes',
    onEthereum: 'every address is a word with 20 bytes',
    onTron: 'the output of `ecrecover`, the result of CREATE and CREATE2, and `block.coinbase` have 0x41 above bit 160',
    whatToDo: 'cut it off before it is compared or stored: `and(word, sub(shl(160, 1), 1))`',
    rule: 'protocol/virtual-machine.md#addresses-inside-the-vm',
  },
  prevrandao: {
    weight: 'breaks',
    title: 'reads block.prevrandao or block.difficulty',
    onEthereum: '`block.prevrandao` is random',
    onTron: 'always 0',
    whatToDo: 'take randomness from elsewhere',
    rule: OPCODES,
  },
  'block-gas-limit': {
    weight: 'breaks',
    title: 'reads block.gaslimit',
    onEthereum: '`block.gaslimit` is the gas limit of the block',
    onTron: 'always 0',
    whatToDo: 'do not divide by it or compare with it',
    rule: OPCODES,
  },
  'gas-price': {
    weight: 'breaks',
    title: 'reads tx.gasprice',
    onEthereum: '`tx.gasprice` is what the sender pays for one gas',
    onTron: 'always 0',
    whatToDo: 'use `block.basefee`, which is the price of one Energy in sun',
    rule: OPCODES,
  },
  blobs: {
    weight: 'breaks',
    title: 'reads blobhash or block.blobbasefee',
    onEthereum: '`blobhash` and `block.blobbasefee` describe blobs',
    onTron: 'always 0: there are no blobs',
    whatToDo: 'put the data into call data',
    rule: OPCODES,
  },
  'value-units': {
    weight: 'breaks',
    title: 'compares TRX with a constant of 18 or 9 decimals, or sends such an amount',
    onEthereum: '1 ether is 10^18 wei',
    onTron: '1 TRX is 10^6 sun, and one wei is one sun; a balance has 63 bits',
    whatToDo: 'scale the constant: `ether` and `gwei` in Solidity are not TRX. 18 decimals of a token are not affected',
    rule: 'protocol/conventions.md#terms',
  },
  'callee-exception': {
    weight: 'breaks',
    title: 'a callee ended with an exception and left its caller without Energy',
    onEthereum: 'a call hands over 63/64 of the gas, so the caller goes on',
    onTron: 'a call hands over everything; after an exception of the callee nothing is left for the caller',
    whatToDo: 'give the call an amount of gas, or let the callee revert (`revert`, `require`)',
    rule: 'protocol/calls.md#outcome',
  },
  'self-transfer': {
    weight: 'breaks',
    title: 'sends TRX to itself',
    onEthereum: 'a contract may call itself with a value',
    onTron: 'the calling frame ends with TRANSFER_FAILED',
    whatToDo: 'call itself without a value, or use an internal function',
    rule: 'protocol/calls.md#steps',
  },
  selfdestruct: {
    weight: 'breaks',
    title: 'destroys itself',
    onEthereum: 'SELFDESTRUCT deletes only a contract of the same transaction',
    onTron: 'it deletes the contract; a contract with delegated stake cannot',
    whatToDo: 'replace it by a flag and a transfer',
    rule: 'protocol/calls.md#selfdestruct',
  },
  'slot-alias': {
    weight: 'breaks',
    title: 'uses two storage slots that are one row',
    onEthereum: 'slots have 256 bits',
    onTron: 'only the low 128 bits of a slot count between transactions',
    whatToDo: 'take slots from hashes, as Solidity does',
    rule: 'protocol/opcodes.md#storage',
  },
  ripemd160: {
    weight: 'breaks',
    title: 'calls ripemd160',
    onEthereum: 'precompile 0x03 is RIPEMD-160',
    onTron: '0x03 is a sha256 of 20 bytes of a sha256',
    whatToDo: 'use another hash, or a library in Solidity',
    rule: PRECOMPILES,
  },
  blake2f: {
    weight: 'breaks',
    title: 'calls precompile 0x09',
    onEthereum: 'precompile 0x09 is BLAKE2F',
    onTron: '0x09 checks signatures (BatchValidateSign)',
    whatToDo: 'use another hash, or a library in Solidity',
    rule: 'protocol/precompiles.md#signatures-and-shielded-tokens',
  },
  'point-evaluation': {
    weight: 'breaks',
    title: 'calls precompile 0x0a',
    onEthereum: 'precompile 0x0a checks KZG proofs',
    onTron: '0x0a checks signatures of an account (ValidateMultiSign)',
    whatToDo: 'do without: there is no such precompile',
    rule: 'protocol/precompiles.md#signatures-and-shielded-tokens',
  },
  'missing-precompile': {
    weight: 'breaks',
    title: 'calls a precompile that does not exist',
    onEthereum: 'precompiles 0x0b to 0x11 (BLS12-381) and 0x100 (P256)',
    onTron: 'none: the call succeeds and answers nothing',
    whatToDo: 'check the length of the answer, and use a library in Solidity',
    rule: PRECOMPILES,
  },
  'modexp-zero': {
    weight: 'breaks',
    title: 'calls modexp with a modulus of 0',
    onEthereum: 'modexp with a modulus of 0 answers zeros',
    onTron: 'it answers nothing',
    whatToDo: 'check the modulus first',
    rule: PRECOMPILES,
  },
  'precompile-output': {
    weight: 'breaks',
    title: 'a precompile overwrites memory behind the output that the call names',
    onEthereum: 'a call copies at most as many bytes as it names',
    onTron: 'a precompile copies its whole output, also over the free-memory pointer',
    whatToDo: 'name an output of full length, or call it by assembly into free memory',
    rule: 'protocol/precompiles.md#output',
  },
  'chain-parameter-64': {
    weight: 'breaks',
    title: 'calls precompile 0x100000b with 64 bytes',
    onEthereum: '0x100000b is an account without code',
    onTron: 'it answers a zero word. Sunup stakes for a DELEGATECALL, java-tron does not',
    whatToDo: 'stake with the opcode FREEZEBALANCEV2',
    rule: 'protocol/precompiles.md#address-0x100000b',
  },
  'call-depth': {
    weight: 'breaks',
    title: 'calls at the largest depth',
    onEthereum: 'calls nest 1024 deep',
    onTron: 'calls nest 64 deep; a deeper call fails',
    whatToDo: 'use a loop instead of the recursion',
    rule: LIMITS,
  },
  'memory-limit': {
    weight: 'breaks',
    title: 'runs out of memory',
    onEthereum: 'memory is limited by gas',
    onTron: 'a frame has 3 MiB of memory',
    whatToDo: 'work in parts',
    rule: LIMITS,
  },
  'energy-limit': {
    weight: 'breaks',
    title: 'needs more Energy than one transaction can buy',
    onEthereum: 'a block has a gas limit',
    onTron: 'fee_limit is at most 15,000 TRX, and popular contracts cost up to 4.4 times as much',
    whatToDo: 'split the work into several transactions',
    rule: 'protocol/energy.md#the-budget-of-a-call',
  },
  'time-limit': {
    weight: 'breaks',
    title: 'comes near the time limit of a transaction',
    onEthereum: 'execution is limited by gas only',
    onTron: 'a transaction has 80 ms; behind them it ends with OUT_OF_TIME and loses its Energy',
    whatToDo: 'split long loops into several transactions',
    rule: 'protocol/virtual-machine.md#cpu-time',
  },
  'refused-transfer': {
    weight: 'breaks',
    title: 'sends a transfer that TRON refuses',
    onEthereum: 'a transfer of nothing, to oneself, or with data to a plain account is valid',
    onTron: 'the first two are refused, data is a memo that costs a fee. `/eth` accepts them for the tests',
    whatToDo: 'leave them out of scripts for the network',
    rule: 'protocol/contract-types.md#transfercontract-1',
  },
  // Needs a look.
  'base-fee': {
    weight: 'check',
    title: 'reads block.basefee',
    onEthereum: '`block.basefee` is the base fee in wei for each gas',
    onTron: 'the price of one Energy in sun; it changes by vote only',
    whatToDo: 'check what is computed from it',
    rule: OPCODES,
  },
  'block-hash': {
    weight: 'check',
    title: 'reads blockhash',
    onEthereum: '`blockhash` is a hash',
    onTron: "TRON's block id: 8 bytes of height, then 24 bytes of a hash",
    whatToDo: 'do not use its first 8 bytes as randomness, or to check a header of Ethereum',
    rule: 'protocol/opcodes.md#blocks-and-jumps',
  },
  coinbase: {
    weight: 'check',
    title: 'reads block.coinbase',
    onEthereum: '`block.coinbase` is the proposer, who can be paid',
    onTron: 'the super representative of the slot, as 21 bytes; optimised Solidity compares all of them',
    whatToDo: 'check what it is used for, and cut it to 20 bytes',
    rule: 'protocol/virtual-machine.md#addresses-inside-the-vm',
  },
  'block-number': {
    weight: 'check',
    title: 'reads block.number',
    onEthereum: 'a block comes every 12 seconds',
    onTron: 'a block comes every 3 seconds; a call without a transaction sees the newest block, not the next',
    whatToDo: 'count time by `block.timestamp`, or multiply numbers of blocks by 4',
    rule: 'protocol/blocks.md#slots',
  },
  'value-scale': {
    weight: 'check',
    title: 'multiplies or divides TRX by a constant of 18 or 9 decimals',
    onEthereum: 'amounts have 18 decimals',
    onTron: 'amounts of TRX have 6 decimals',
    whatToDo: 'scale a constant that stands for 1 ether. A fixed-point factor stays as it is',
    rule: 'protocol/conventions.md#terms',
  },
  'chain-id': {
    weight: 'check',
    title: 'compares block.chainid with another constant',
    onEthereum: 'chain ids 1, 31337 and others',
    onTron: 'the last 4 bytes of the genesis block id: 0x2b6653dc on the main network',
    whatToDo: "compare with the TRON network's id",
    rule: 'protocol/blocks.md#chain-id',
  },
  'gas-left': {
    weight: 'check',
    title: 'computes with gasleft()',
    onEthereum: "gas has Cancun's prices",
    onTron: "Energy has prices of Ethereum's first years, multiplied by the factor of the contract",
    whatToDo: 'do not compare it with constants, and do not pay refunds by it',
    rule: 'protocol/virtual-machine.md#the-differences-on-one-page',
  },
  'fixed-gas': {
    weight: 'check',
    title: 'hands over too little Energy for a callee with the largest factor',
    onEthereum: 'a fixed amount of gas (2,300 of `transfer` and `send`) pays for the same steps always',
    onTron: 'each step of a popular contract costs up to 4.4 times as much, so the callee may run out of Energy',
    whatToDo: 'use `call` without an amount of gas instead of `transfer` and `send`',
    rule: 'protocol/energy-factor.md#metering-inside-a-frame',
  },
  'token-transfer': {
    weight: 'check',
    title: 'calls transfer of a token',
    onEthereum: '`transfer` of an ERC-20 returns true, or nothing',
    onTron: "USDT's `transfer` returns false although it succeeds, so a check such as `safeTransfer` fails",
    whatToDo: 'if the token can be USDT, compare balances instead of the result',
    rule: 'reference/predeployed.md',
  },
  // Good to know.
  'create-address': {
    weight: 'note',
    title: 'creates a contract with CREATE',
    onEthereum: 'scripts compute the address from creator and nonce',
    onTron: 'the address follows from the transaction id; `--create-nonces` hides this in tests',
    whatToDo: 'read the address from the result or from an event',
    rule: CREATIONS,
  },
  'create2-address': {
    weight: 'note',
    title: 'creates a contract with CREATE2',
    onEthereum: 'the same salt and code give the same address on every chain',
    onTron: 'the address differs from the one on Ethereum, because its prefix is 41',
    whatToDo: 'change the prefix in scripts, and in lists of addresses',
    rule: CREATIONS,
  },
  activation: {
    weight: 'note',
    title: 'sends TRX to an account that does not exist',
    onEthereum: 'a transfer to a new account costs what any transfer with a value costs',
    onTron: '25,000 Energy more inside a contract; 1.1 TRX as a transaction',
    whatToDo: 'activate accounts before',
    rule: 'protocol/fixed-fees.md#who-pays-what-when-an-account-is-created',
  },
  'ether-amounts': {
    weight: 'note',
    title: 'transactions with amounts of 18 decimals',
    onEthereum: '`parseEther("1")` is 1 ether',
    onTron: 'it is 10^12 TRX, more than there is',
    whatToDo: 'scale amounts in scripts: `parseUnits("1", 6)` is 1 TRX',
    rule: 'protocol/conventions.md#terms',
  },
  'create-nonces': {
    weight: 'note',
    title: 'the node gave inner contracts the addresses of Ethereum (--create-nonces)',
    onEthereum: 'CREATE inside a contract counts a nonce',
    onTron: 'no network does; the option is for tests',
    whatToDo: 'run the tests once without it',
    rule: CREATIONS,
  },
  // True for every contract.
  'trc10-tokens': {
    weight: 'note',
    title: 'accepts TRC-10 tokens',
    onEthereum: 'a function that is not payable accepts nothing',
    onTron: 'it accepts TRC-10 tokens, because the check of standard solc tests only the value in TRX',
    whatToDo: "nothing, if a stuck token is acceptable; else compile with TRON's solc",
    rule: 'protocol/solidity.md#targets-of-the-compiler',
    found: 'always',
  },
  'gas-prices': {
    weight: 'note',
    title: 'prices of opcodes',
    onEthereum: 'gas prices of Cancun, cold and warm accesses, refunds',
    onTron:
      "prices of Ethereum's first years, no refunds; stored code costs 200 for each byte and has no limit of size",
    whatToDo: 'measure: the report has the Energy of each method',
    rule: 'protocol/virtual-machine.md#the-differences-on-one-page',
    found: 'always',
  },
  'energy-factor': {
    weight: 'note',
    title: 'price of popular contracts',
    onEthereum: 'a popular contract costs what it always costs',
    onTron: 'up to 4.4 times its base price',
    whatToDo: 'read the column for the capped factor in the report',
    rule: 'protocol/energy-factor.md#metering-inside-a-frame',
    found: 'always',
  },
} as const satisfies Record<string, Omit<Difference, 'id' | 'found'> & { readonly found?: 'always' }>;

export type DifferenceId = keyof typeof entries;

const WEIGHTS: readonly Weight[] = ['breaks', 'check', 'note'];

/** Most severe first. */
export const DIFFERENCES: readonly (Difference & { readonly id: DifferenceId })[] = Object.entries(entries)
  .map(([id, entry]) => ({ found: 'run' as const, ...entry, id: id as DifferenceId }))
  .sort((a, b) => WEIGHTS.indexOf(a.weight) - WEIGHTS.indexOf(b.weight));
