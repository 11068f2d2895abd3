// From a workload to a quote as PDF: node quote.js http://localhost:8000 kvote_… quote.pdf
import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { paths } from "./kvote.js";

const [baseUrl = "", key, file = "quote.pdf"] = process.argv.slice(2);
const kvote = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

function found<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const started = await kvote.POST("/api/v1/sizing-runs", {
  body: {
    kind: "llm_serving",
    model: { id: "meta-llama/Llama-3.1-8B-Instruct" },
    traffic: { input_tokens: 1024, output_tokens: 256, concurrent_requests: 32 },
  },
});
const id = started.response.headers.get("Location")!.split("/").pop()!;
const params = { path: { key: id } };
for (let patience = 600; ; ) {
  const answer = await kvote.GET("/api/v1/sizing-runs/{key}", { params });
  if (found(answer).state === "done") break;
  const wait = Number(answer.response.headers.get("Retry-After") ?? 0);
  if (!wait || (patience -= wait) < 0) throw new Error(`the run is ${found(answer).state}`);
  await pause(wait * 1000);
}
const best = found(await kvote.GET("/api/v1/sizing-runs/{key}/result", { params })).options[0]!;
console.log(`${best.accelerators_total} x ${best.accelerator}, ${best.cost.purchase.amount} ${best.cost.purchase.currency}`);
const quote = found(await kvote.POST("/api/v1/quotes", { body: { run: id, rank: best.rank } }));
const pdf = await kvote.GET("/api/v1/quotes/{public_id}/documents/{name}", {
  params: { path: { public_id: quote.id, name: "pdf" } },
  parseAs: "arrayBuffer",
});
await writeFile(file, new Uint8Array(found(pdf) as unknown as ArrayBuffer));
