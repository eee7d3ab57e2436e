package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

type object = map[string]any

const (
	privateKey = "15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954" // account 0
	me         = "TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6"
	receiver   = "TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C" // account 1
)

var node = "http://127.0.0.1:9090"

// ask sends a request to an endpoint of the node.
func ask(path string, body object) object {
	body["visible"] = true // addresses as T…
	text, err := json.Marshal(body)
	check(err)
	response, err := http.Post(node+path, "application/json", bytes.NewReader(text))
	check(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	check(err)
	var result object
	check(json.Unmarshal(answer, &result))
	if message, failed := result["Error"]; failed {
		log.Fatal(path, ": ", message)
	}
	return result
}

// send signs a transaction, broadcasts it, and returns its receipt.
func send(transaction object) object {
	raw, err := hex.DecodeString(transaction["raw_data_hex"].(string))
	check(err)
	key, err := hex.DecodeString(privateKey)
	check(err)
	id := sha256.Sum256(raw)
	compact := ecdsa.SignCompact(secp256k1.PrivKeyFromBytes(key), id[:], false)
	// TRON: r, s, recovery id
	transaction["signature"] = []string{hex.EncodeToString(append(compact[1:], compact[0]-27))}
	if answer := ask("/wallet/broadcasttransaction", transaction); answer["result"] != true {
		log.Fatal(answer)
	}
	return ask("/wallet/gettransactioninfobyid", object{"value": hex.EncodeToString(id[:])})
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	// Connect
	if url := os.Getenv("SUNUP_URL"); url != "" {
		node = url
	}
	balance := func(address string) any { return ask("/wallet/getaccount", object{"address": address})["balance"] }
	fmt.Printf("balance %.0f sun\n", balance(me))

	// Send
	send(ask("/wallet/createtransaction", object{"owner_address": me, "to_address": receiver, "amount": 1_000_000}))
	fmt.Printf("receiver %.0f sun\n", balance(receiver))

	// Deploy
	file, err := os.ReadFile("Counter.json")
	check(err)
	var artifact object
	check(json.Unmarshal(file, &artifact))
	abi, err := json.Marshal(artifact["abi"])
	check(err)
	deployment := ask("/wallet/deploycontract", object{
		"owner_address": me, "name": "Counter", "abi": string(abi), "bytecode": artifact["bytecode"],
		"fee_limit": 1_000_000_000, "consume_user_resource_percent": 100, "origin_energy_limit": 10_000_000,
	})
	contract := send(deployment)["contract_address"]
	fmt.Println("contract", contract)

	// Estimate, then call
	call := func() object {
		return object{
			"owner_address": me, "contract_address": contract, "fee_limit": 100_000_000,
			"function_selector": "add(uint256)", "parameter": fmt.Sprintf("%064x", 5),
		}
	}
	fmt.Println("estimate", ask("/wallet/estimateenergy", call())["energy_required"], "Energy")
	info := send(ask("/wallet/triggersmartcontract", call())["transaction"].(object))
	total := ask("/wallet/triggerconstantcontract", object{
		"owner_address": me, "contract_address": contract, "function_selector": "total()",
	})
	fmt.Println("total", total["constant_result"])

	// Read the events
	for _, event := range info["log"].([]any) {
		fmt.Println("event", event.(object)["data"])
	}

	// Read the cost
	fmt.Printf("cost %.0f sun for %.0f Energy\n", info["fee"], info["receipt"].(object)["energy_usage_total"])
}
