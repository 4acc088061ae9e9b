// What a run measured: times of each exchange, and the transport of each peer.

import { toldOf } from "../model/run.js";
import { barsPicture, secondsWords } from "./bars.js";
import { table } from "./svg.js";
import { bytesWords, grouped } from "./words.js";

const PARTS = ["pack", "wait", "unpack"];

function timesOf(run, rank, name) {
    const told = toldOf(run, rank, name);
    return told && told.times && told.times.calls > 0 ? told.times : null;
}

// One bar a rank: where the time of one call went, on average.
export function measuredPicture(run, name, chosen, choose) {
    const rows = run.ranks
        .map((_, rank) => ({ rank, times: timesOf(run, rank, name) }))
        .filter(({ times }) => times)
        .slice(0, 64)
        .map(({ rank, times }) => ({ rank, parts: PARTS.map((part) => times[`${part}_seconds`] / times.calls) }));
    if (rows.length === 0) return null;
    return barsPicture("measured-picture", `Mean time of a call of ${name}, by rank`, PARTS, rows, { chosen, choose });
}

export function measuredTable(run, spec, rank) {
    const rows = spec.exchange.map(({ name }) => {
        const times = timesOf(run, rank, name);
        if (!times) return [name, "–", "–", "–", "–"];
        return [
            name,
            grouped(times.calls),
            secondsWords(times.start.mean),
            secondsWords(times.finish.mean),
            `${secondsWords(times.start.least)} … ${secondsWords(times.start.most)}, ${secondsWords(times.finish.least)} … ${secondsWords(times.finish.most)}`,
        ];
    });
    return table(`Times of rank ${rank}`, ["exchange", "calls", "start", "finish", "least … most of both"], rows);
}

export function transportTable(run, name, rank) {
    const told = toldOf(run, rank, name);
    const rows = told
        ? told.peers.map((p) => [
              `rank ${p.rank}`,
              run.ranks[p.rank] ? run.ranks[p.rank].host : "–",
              p.transport,
              bytesWords(p.bytes_sent),
              bytesWords(p.bytes_received),
              p.why || "–",
          ])
        : [];
    const words = told ? `${told.schedule}: ${told.schedule_why}` : "this rank did not tell";
    return table(
        `Peers of rank ${rank} in ${name} (${words})`,
        ["peer", "host", "transport", "sent", "received", "why"],
        rows,
    );
}
