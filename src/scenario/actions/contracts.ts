/** Contracts of a scenario: compiled code, and the encoding of their calls. */

import { chainAbi } from '../../abi/chain-abi.js';
import type { encodeValues } from '../../abi/encode-values.js';
import type { Artifact } from '../../artifacts/artifact.js';
import type { Abi } from '../../contracts/abi.js';
import { callData, type Encoding, encodedArguments } from '../../contracts/call-data.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import {
  CreateSmartContract,
  SmartContract_ABI_Entry_EntryType as EntryType,
  SmartContract_ABI_Entry_StateMutabilityType as Mutability,
  SmartContract,
  type SmartContract_ABI,
} from '../../protocol/generated/smart-contract.js';
import type { Sent } from '../../protocol/message-type.js';
import type { Parties } from '../parties.js';
import { StepError } from './step-error.js';

/** Where the contract of a `deploy` or of a file's `contracts` comes from. */
export interface ArtifactPlace {
  readonly fixture?: string | undefined;
  readonly artifact?: string | undefined;
  readonly contract?: string | undefined;
}

export interface DeployTerms extends ArtifactPlace {
  readonly args?: readonly unknown[] | undefined;
  readonly value?: bigint | undefined;
  readonly userPercent?: number | undefined;
  readonly originEnergyLimit?: bigint | undefined;
}

export class Contracts {
  readonly #abis = new Map<Address, Abi>();

  /**
   * @param artifacts the artifacts that the file names, read before the run
   * @param encode the ABI encoder, loaded before the run if a step needs it
   */
  constructor(
    private readonly parties: Parties,
    private readonly artifacts: ReadonlyMap<string, Artifact>,
    private readonly encode: typeof encodeValues | undefined,
  ) {}

  /** The message that deploys a contract. @throws StepError */
  deployment(name: string, owner: Address, terms: DeployTerms): Sent<CreateSmartContract> {
    const artifact = this.artifacts.get(artifactKey(terms));
    if (artifact === undefined) throw new StepError('expected fixture or artifact: which contract it is');
    const { abi, bytecode } = artifact;
    if (bytecode.object === '') throw new StepError(`${artifact.name} has no bytecode: it is an interface or abstract`);
    if (bytecode.links.length > 0)
      throw new StepError(`${artifact.name} has unlinked libraries: link ${bytecode.links[0]?.library} first`);
    const inputs = abi.find(({ type }) => type === 'constructor')?.inputs ?? [];
    const { args = [], value = 0n, userPercent = 100, originEnergyLimit = 10_000_000n } = terms;
    return CreateSmartContract.create({
      owner_address: owner,
      new_contract: SmartContract.create({
        origin_address: owner,
        name,
        abi: chainAbi(abi),
        bytecode: bytecode.object + this.#encoded(`the constructor of ${artifact.name}`, inputs, args),
        call_value: value,
        consume_user_resource_percent: BigInt(userPercent),
        origin_energy_limit: originEnergyLimit,
      }),
    });
  }

  /** After this, calls of the address use the ABI of the deployed artifact. */
  deployed(address: Address, place: ArtifactPlace): void {
    const abi = this.artifacts.get(artifactKey(place))?.abi;
    if (abi !== undefined)
      this.#abis.set(
        address,
        abi.map(({ type = 'function', ...entry }) => ({ type, ...entry })),
      );
  }

  /** After this, calls of the address use the ABI that the chain stores, if there is one. */
  onChain(address: Address, abi: SmartContract_ABI | undefined): void {
    if (abi === undefined) return;
    const entries = abi.entrys.map(({ type, stateMutability, ...entry }) => ({
      ...entry,
      type: compilersWord(EntryType, type),
      stateMutability: compilersWord(Mutability, stateMutability),
    }));
    this.#abis.set(address, entries);
  }

  /**
   * Call data and value of a call.
   *
   * @param method `transfer`, or `transfer(address,uint256)` if the ABI is unknown or has overloads
   * @throws StepError
   */
  callData(
    address: Address,
    method: string,
    args: readonly unknown[],
  ): { readonly method: string; readonly data: Hex } {
    return asStep(() => callData(this.#abis.get(address), method, args, this.#encoding));
  }

  #encoded(of: string, inputs: Parameters<typeof encodedArguments>[1], args: readonly unknown[]): Hex {
    return asStep(() => encodedArguments(of, inputs, args, this.#encoding));
  }

  get #encoding(): Encoding {
    return {
      encodeValues: (inputs, ...given) => {
        if (inputs.length === 0) return '';
        if (this.encode === undefined) throw new Error('the encoder was not loaded');
        return this.encode(inputs, ...given);
      },
      addressOf: (text) => this.parties.find(text)?.address,
    };
  }
}

/** The protocol's ABI types are the compilers' with a capital first letter. */
function compilersWord(names: Readonly<Record<string, number>>, value: number): string {
  const found = Object.entries(names).find(([, one]) => one === value);
  return found?.[0].toLowerCase() ?? '';
}

/** Arguments that do not fit the ABI. */
function asStep<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypeError) throw new StepError(error.message);
    throw error;
  }
}

/** Key of an artifact that a file names. */
export function artifactKey({ fixture, artifact, contract }: ArtifactPlace): string {
  return fixture === undefined ? `file ${artifact} ${contract ?? ''}` : `fixture ${fixture}`;
}
