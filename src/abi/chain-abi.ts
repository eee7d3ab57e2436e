/** Converts a compiler's ABI to the form on the chain, which has no components of tuples. */

import { ownValue } from '../primitives/outside-names.js';
import {
  SmartContract_ABI_Entry_EntryType as EntryType,
  SmartContract_ABI_Entry_StateMutabilityType as Mutability,
  type SmartContract_ABI,
  SmartContract_ABI_Entry,
  type SmartContract_ABI_Entry_Param,
} from '../protocol/generated/smart-contract.js';
import type { JsonAbi, JsonAbiParameter } from './json-abi.js';

/** In the form that clients send: the protocol's ABI types are the compilers' with a capital first letter. */
export function chainAbi(abi: JsonAbi): SmartContract_ABI {
  return {
    entrys: abi.map(({ type = 'function', name = '', inputs = [], outputs = [], stateMutability, ...entry }) =>
      SmartContract_ABI_Entry.create({
        type: ownValue<EntryType>(EntryType, capital(type)) ?? EntryType.UnknownEntryType,
        name,
        inputs: inputs.map(chainParameter),
        outputs: outputs.map(chainParameter),
        stateMutability: ownValue<Mutability>(Mutability, capital(stateMutability ?? '')) ?? 0,
        payable: entry.payable ?? false,
        anonymous: entry.anonymous ?? false,
      }),
    ),
  };
}

function chainParameter({ name = '', type, indexed = false }: JsonAbiParameter): SmartContract_ABI_Entry_Param {
  return { name, type, indexed };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
