/** A compiler's ABI as a contract carries it on the chain, which keeps less of it: no components of tuples. */

import { ownValue } from '../primitives/outside-names.js';
import {
  SmartContract_ABI_Entry_EntryType as EntryType,
  SmartContract_ABI_Entry_StateMutabilityType as Mutability,
  type SmartContract_ABI,
  SmartContract_ABI_Entry,
  type SmartContract_ABI_Entry_Param,
} from '../protocol/generated/smart-contract.js';
import type { JsonAbi, JsonAbiParameter } from './json-abi.js';

/** As clients send it: the protocol's names of types are those of compilers with a capital. */
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
