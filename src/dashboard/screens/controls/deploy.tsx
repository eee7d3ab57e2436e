/** Deploys an artifact that is dropped on the page or chosen: of Hardhat, Foundry, TronBox or solc. */

import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ActionForm } from '../../parts/action-form.js';
import { Panel, Problem } from '../../parts/panel.js';
import type { Sender } from '../../parts/send.js';
import { SenderField } from '../../parts/sender-field.js';
import { Units } from '../../parts/values.js';
import { type Artifact, constructorInputs, constructorParameter, readArtifact } from './artifact.js';

export function Deploy() {
  const [artifact, setArtifact] = useState<Artifact>();
  const [problem, setProblem] = useState<Error>();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      setArtifact(readArtifact(await file.text(), file.name));
      setProblem(undefined);
    } catch (error) {
      setArtifact(undefined);
      setProblem(error as Error);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer?.files[0]);
  };
  return (
    <Panel title="Deploy an artifact" isWide>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same with the keyboard */}
      <div class="drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <label class="field">
          Drop the JSON file of a compiled contract here, or choose it
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
          />
        </label>
      </div>
      {problem !== undefined && <Problem error={problem} />}
      {artifact !== undefined && <DeployForm artifact={artifact} key={artifact.name + artifact.bytecode.length} />}
    </Panel>
  );
}

function DeployForm({ artifact }: { readonly artifact: Artifact }) {
  const [sender, setSender] = useState<Sender>();
  const [, go] = useLocation();
  const inputs = constructorInputs(artifact);
  return (
    <>
      <p>
        <b>{artifact.name}</b> · <Units amount={artifact.bytecode.length / 2} unit="bytes of creation code" />
      </p>
      <SenderField sender={sender} choose={setSender} isReadOnly={false} />
      <ActionForm
        title="Constructor"
        button="Deploy"
        fields={inputs.map(({ name, type }, at) => ({ name: name || `argument ${at}`, hint: type }))}
        act={async (values) => {
          if (sender === undefined) throw new Error('Choose an account that sends it.');
          const id = await sender.send({
            data: artifact.bytecode + constructorParameter(artifact, values),
            valueSun: 0n,
            contract: { name: artifact.name.slice(0, 32), abi: artifact.abi },
          });
          go(`/transactions/${id}`);
          return id;
        }}
      />
    </>
  );
}
