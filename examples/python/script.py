import json
import os

from tronpy import Tron
from tronpy.contract import Contract
from tronpy.keys import PrivateKey
from tronpy.providers import HTTPProvider

# Connect
client = Tron(HTTPProvider(os.environ.get("SUNUP_URL", "http://127.0.0.1:9090")))
key = PrivateKey(bytes.fromhex("15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954"))  # account 0
me = key.public_key.to_base58check_address()
receiver = "TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C"  # account 1
print("balance", client.get_account_balance(me), "TRX")

# Send
client.trx.transfer(me, receiver, 1_000_000).build().sign(key).broadcast().wait()
print("receiver", client.get_account_balance(receiver), "TRX")

# Deploy
with open("Counter.json") as file:
    artifact = json.load(file)
contract = Contract(name="Counter", abi=artifact["abi"], bytecode=artifact["bytecode"])
deployment = client.trx.deploy_contract(me, contract).fee_limit(1_000_000_000).build().sign(key)
address = deployment.broadcast().wait()["contract_address"]
counter = client.get_contract(address)
print("contract", counter.contract_address)

# Estimate, then call
energy = client.get_estimated_energy(me, counter.contract_address, "add(uint256)", "5".rjust(64, "0"))
print("estimate", energy, "Energy")
call = counter.functions.add(5).with_owner(me).fee_limit(100_000_000).build().sign(key)
info = call.broadcast().wait()
print("total", counter.functions.total())

# Read the events
for event in counter.events.Added.process_receipt(info):
    print("event", event["event"], event["args"]["amount"])

# Read the cost
print("cost", info["fee"], "sun for", info["receipt"]["energy_usage_total"], "Energy")
