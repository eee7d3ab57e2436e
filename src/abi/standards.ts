/**
 * Common functions, events and errors, for contracts without an ABI: created by other contracts, or cleared. TRC-20,
 * TRC-721, TRC-1155, ownership, and Solidity's own errors.
 */

import {
  SmartContract_ABI_Entry_EntryType as EntryType,
  type SmartContract_ABI,
} from '../protocol/generated/smart-contract.js';

const DECLARATIONS = `
error Error(string reason)
error Panic(uint256 code)
function totalSupply()
function balanceOf(address owner)
function transfer(address to, uint256 value)
function transferFrom(address from, address to, uint256 value)
function approve(address spender, uint256 value)
function allowance(address owner, address spender)
function increaseAllowance(address spender, uint256 addedValue)
function decreaseAllowance(address spender, uint256 subtractedValue)
function mint(address to, uint256 value)
function burn(uint256 value)
function deposit()
function withdraw(uint256 value)
function ownerOf(uint256 tokenId)
function safeTransferFrom(address from, address to, uint256 tokenId)
function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)
function setApprovalForAll(address operator, bool approved)
function transferOwnership(address newOwner)
function renounceOwnership()
event Transfer(address indexed from, address indexed to, uint256 value)
event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)
event Transfer(address from, address to, uint256 value)
event Approval(address indexed owner, address indexed spender, uint256 value)
event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)
event Approval(address owner, address spender, uint256 value)
event ApprovalForAll(address indexed owner, address indexed operator, bool approved)
event Deposit(address indexed dst, uint256 wad)
event Withdrawal(address indexed src, uint256 wad)
event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)
event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)
`;

const TYPES: Readonly<Record<string, number>> = {
  function: EntryType.Function,
  event: EntryType.Event,
  error: EntryType.Error,
};

/** Shared by all chains: the standards do not change. */
let abi: SmartContract_ABI | undefined;

/** The declarations in the chain's form. */
export function standardAbi(): SmartContract_ABI {
  abi ??= { entrys: DECLARATIONS.trim().split('\n').map(entry) };
  return abi;
}

function entry(declaration: string): SmartContract_ABI['entrys'][number] {
  const [, kind = '', name = '', parameters = ''] = /^(\w+) (\w+)\((.*)\)$/.exec(declaration) ?? [];
  const inputs = parameters
    .split(', ')
    .filter((text) => text !== '')
    .map((text) => {
      const words = text.split(' ');
      return { type: words[0] ?? '', name: words.at(-1) ?? '', indexed: words.includes('indexed') };
    });
  return {
    ...{ name, inputs, outputs: [], type: TYPES[kind] ?? EntryType.UnknownEntryType },
    ...{ anonymous: false, constant: false, payable: false, stateMutability: 0 },
  };
}
