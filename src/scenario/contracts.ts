/** Contracts of a scenario: what compilers made of them, and what calls of them look like on the wire. */

import { chainAbi } from '../abi/chain-abi.js';
import type { encodeValues } from '../abi/encode-values.js';
import type { Artifact } from '../artifacts/artifact.js';
import type { Abi } from '../contracts/abi.js';
import { functionFor, functionsOf, hashOf, nearestName, signatureOf } from '../contracts/fragments.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { CreateSmartContract, SmartContract } from '../protocol/generated/smart-contract.js';
import type { Sent } from '../protocol/message-type.js';
import type { Parties } from './parties.js';
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
   * @param artifacts those that the file names, read before the run
   * @param encode loaded before the run where there is anything to encode
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
      throw new StepError(
        `${artifact.name} needs libraries, which have to be linked before: ${bytecode.links[0]?.library}`,
      );
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

  /** From here on calls of the address are by the ABI of what was deployed there. */
  deployed(address: Address, place: ArtifactPlace): void {
    const abi = this.artifacts.get(artifactKey(place))?.abi;
    if (abi !== undefined)
      this.#abis.set(
        address,
        abi.map(({ type = 'function', ...entry }) => ({ type, ...entry })),
      );
  }

  /**
   * What a call sends.
   *
   * @param method `transfer`, or `transfer(address,uint256)` where the ABI is not known or has several of the name
   * @throws StepError
   */
  callData(
    address: Address,
    method: string,
    args: readonly unknown[],
  ): { readonly method: string; readonly data: Hex } {
    const abi = this.#abis.get(address);
    const known = abi === undefined ? [] : functionsOf(abi);
    const plain = method.includes('(') ? method.slice(0, method.indexOf('(')) : method;
    if (!known.some(({ name }) => name === plain)) {
      if (method.includes('(')) return this.#bySignature(method, args);
      const close = nearestName(method, known);
      const hint =
        known.length === 0
          ? 'write its whole signature, f(address,uint256)'
          : `did you mean ${close ?? known[0]?.name}?`;
      throw new StepError(`the contract has no method ${method} that is known here; ${hint}`);
    }
    try {
      const entry = functionFor(known, method, args);
      const signature = signatureOf(entry);
      return {
        method: signature,
        data: hashOf(entry).slice(0, 8) + this.#encoded(signature, entry.inputs ?? [], args),
      };
    } catch (error) {
      if (error instanceof TypeError) throw new StepError(error.message);
      throw error;
    }
  }

  #bySignature(signature: string, args: readonly unknown[]) {
    const match = /^(\w+)\(([\w,[\]]*)\)$/.exec(signature.replaceAll(' ', ''));
    if (match === null) throw new StepError(`${signature}: expected a signature of plain types, f(address,uint256)`);
    const [, name = '', list = ''] = match;
    const inputs = list === '' ? [] : list.split(',').map((type) => ({ type }));
    const entry = { type: 'function', name, inputs };
    return { method: signatureOf(entry), data: hashOf(entry).slice(0, 8) + this.#encoded(signature, inputs, args) };
  }

  #encoded(of: string, inputs: Parameters<typeof encodeValues>[0], args: readonly unknown[]): Hex {
    if (args.length !== inputs.length)
      throw new StepError(`${of} takes ${inputs.length} arguments, and got ${args.length}`);
    if (inputs.length === 0) return '';
    if (this.encode === undefined) throw new Error('the encoder was not loaded');
    try {
      return this.encode(inputs, args, (text) => this.parties.find(text)?.address);
    } catch (error) {
      if (error instanceof TypeError) throw new StepError(`${of}: ${error.message}`);
      throw error;
    }
  }
}

/** By which an artifact is known that a file names. */
export function artifactKey({ fixture, artifact, contract }: ArtifactPlace): string {
  return fixture === undefined ? `file ${artifact} ${contract ?? ''}` : `fixture ${fixture}`;
}
