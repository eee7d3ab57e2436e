/**
 * The phrase that Ethereum's tools share, and its first accounts, derived in advance: deriving them takes a tenth of
 * the processor time of a start, and most starts use them. A test derives them again.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';

/** Everybody knows its keys: never send real coin to them. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';
/** The BIP-44 path with TRON's coin type. */
export const TRON_PATH = "m/44'/195'/0'/0";

/** The accounts of the phrase along the path, by index. */
export const TEST_ACCOUNTS: readonly { readonly addressHex: Address; readonly privateKey: Hex }[] = [
  {
    addressHex: '41e2e1a54926527fbb4e4420de4c6bab82beaee24d' as Address,
    privateKey: '15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954',
  },
  {
    addressHex: '419705bf55c3dcc6d277ebb8fe2a68762268822ba2' as Address,
    privateKey: '9b6ac6a6faf1dc64240f654475a7e668141e4205262367feb7269ef332113929',
  },
  {
    addressHex: '410c96c0e10bb5e7e7edacf82ad00e3d60790351da' as Address,
    privateKey: '0c88a7fee5bfbe5a354c225bfa8a9d09557466cdf56f887cc2d000e7354f9453',
  },
  {
    addressHex: '4132ab5167665722351b42cfa8302a81b695bb6639' as Address,
    privateKey: '68c9a7dcaa4677fdeba9f72c8a1d86d0adf34932cdbdb52d90a2d01504d9d4be',
  },
  {
    addressHex: '41f84991394bb0a02cd655c1c70321cc8ed479316d' as Address,
    privateKey: 'a01527c0c2d83e71c8827f2f0ee5c1a6f715a0c9bace1c3da50c6690a4e69fe7',
  },
  {
    addressHex: '41899fa251f347f8ccc4c48003c725cf71c178c234' as Address,
    privateKey: '679733f6af4143c82ea340e70029e86fda0fc0232a434172b7f233d96f6ff70f',
  },
  {
    addressHex: '41f599d98ec243a0a49f9ad2d44a2259f2d31a3f2f' as Address,
    privateKey: 'c41ac8920442be2469a0d6f04c9959e7e9faa3c6be4c3723224a2e06f4fd3aec',
  },
  {
    addressHex: '41299cc4bba8e3a26a71cef5bf7ee998814ccec5c1' as Address,
    privateKey: 'ff46c996d2494137bff12940698eae445b696e6da4769933687d607a8fa06dc3',
  },
  {
    addressHex: '4197c5165a3cbe5838e805c872bc387917dea7d67a' as Address,
    privateKey: '47e922c77f526dea6dcd1bb5d9af55239815fd982799745abe1f646f04ffe776',
  },
  {
    addressHex: '4161e8cd25d5472d70fa70fef87974ad3a43af5ff1' as Address,
    privateKey: '529ca9c20dd90893928ef9ce2bdfcecbc191ffc5ee93a0171427d9a28ea77718',
  },
];

/**
 * Addresses of the phrase along paths with Ethereum's coin type: the path of Ethereum's tools, and TRE's variant, where
 * the index follows without a slash. The keys are in the code of hardhat-tron, Hardhat and anvil.
 */
export const ETHEREUM_ACCOUNTS: Readonly<Record<string, readonly Address[]>> = {
  "m/44'/60'/0'/0": [
    '41f39fd6e51aad88f6f4ce6ab8827279cfffb92266' as Address,
    '4170997970c51812dc3a010c7d01b50e0d17dc79c8' as Address,
    '413c44cdddb6a900fa2b585dd299e03d12fa4293bc' as Address,
    '4190f79bf6eb2c4f870365e785982e1f101e93b906' as Address,
    '4115d34aaf54267db7d7c367839aaf71a00a2c6a65' as Address,
    '419965507d1a55bcc2695c58ba16fb37d819b0a4dc' as Address,
    '41976ea74026e726554db657fa54763abd0c3a0aa9' as Address,
    '4114dc79964da2c08b23698b3d3cc7ca32193d9955' as Address,
    '4123618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f' as Address,
    '41a0ee7a142d267c1f36714e4a8f75612f20a79720' as Address,
  ],
  "m/44'/60'/0'": [
    '411e59ce931b4cfea3fe4b875411e280e173cb7a9c' as Address,
    '41c89d42189f0450c2b2c3c61f58ec5d628176a1e7' as Address,
    '41318b469bba396aec2c60342f9441be36a1945174' as Address,
    '411e14cbd146c3a5496f588cf28ee656c210057904' as Address,
    '4163953eb1b3d8db28334e7c1c69456c851f934199' as Address,
    '411e6f0dfb1775f5032f12f56a01526351ed3f07af' as Address,
    '418656bddc790da239824ee2ea782d350c80aa2cf4' as Address,
    '412192f6112a026bce4047ced2a16553fd31e798b6' as Address,
    '411fc1fceccd0d0cf092dd11465f2e9ce6be3f62ac' as Address,
    '41bc8563cb0eedbd1b95ccafd0c156e2daf5e18c29' as Address,
  ],
};
