/** Name, symbol and decimals of a token. They come from contracts and issuers: anything may stand in them. */

import { decodeFunctionResult, erc20Abi } from 'viem';
import { wallet } from '../chain/ask.js';

export interface TokenInfo {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

const MAX_DECIMALS = 255;

/** @param caller any account @returns null if the contract has no such methods */
export async function trc20Info(contract: string, caller: string): Promise<TokenInfo | null> {
  const read = async (functionName: 'name' | 'symbol' | 'decimals') => {
    const { constant_result: [data] = [] } = await wallet<{ readonly constant_result?: readonly string[] }>(
      'triggerconstantcontract',
      { owner_address: caller, contract_address: contract, function_selector: `${functionName}()` },
    );
    return decodeFunctionResult({ abi: erc20Abi, functionName, data: `0x${data ?? ''}` });
  };
  try {
    const [name, symbol, decimals] = await Promise.all([read('name'), read('symbol'), read('decimals')]);
    const places = Number(decimals);
    // The contract may return anything, but the type is uint8.
    if (places > MAX_DECIMALS) return null;
    return { name: String(name), symbol: String(symbol), decimals: places };
  } catch {
    return null;
  }
}

export async function trc10Info(id: string): Promise<TokenInfo> {
  const asset = await wallet<{ readonly name?: string; readonly abbr?: string; readonly precision?: number }>(
    'getassetissuebyid',
    { value: id },
  );
  return { name: asset.name ?? '', symbol: asset.abbr ?? '', decimals: asset.precision ?? 0 };
}
