// What a run measured: times of each exchange, and the transport of each peer.

import { toldOf } from "../model/run.js";
import { picture, svg, table, text } from "./svg.js";
import { bytesWords, grouped } from "./words.js";

const WIDE = 640;
const PARTS = [
    ["pack_seconds", "pack"],
    ["wait_seconds", "wait"],
    ["unpack_seconds", "unpack"],
];

// Seconds as people read them.
function secondsWords(seconds) {
    if (seconds === undefined || seconds === null) return "–";
    const [factor, unit] = seconds < 1e-3 ? [1e6, "µs"] : seconds < 1 ? [1e3, "ms"] : [1, "s"];
    return `${(seconds * factor).toPrecision(3)} ${unit}`;
}

function timesOf(run, rank, name) {
    const told = toldOf(run, rank, name);
    return told && told.times && told.times.calls > 0 ? told.times : null;
}

// One bar a rank: where the time of one call went, on average.
export function measuredPicture(run, name, chosen, choose) {
    const known = run.ranks
        .map((_, rank) => [rank, timesOf(run, rank, name)])
        .filter(([, times]) => times)
        .slice(0, 64);
    if (known.length === 0) return null;
    const each = known.map(([rank, times]) => [rank, PARTS.map(([key]) => times[key] / times.calls)]);
    const most = Math.max(1e-12, ...each.map(([, parts]) => parts.reduce((sum, s) => sum + s, 0)));
    const bars = each.map(([rank, parts], i) => {
        let x = 70;
        const y = 34 + i * 24;
        const pieces = parts.map((seconds, k) => {
            const width = (seconds / most) * (WIDE - 170);
            const made = svg(
                "rect",
                { x, y, width, height: 18, class: `time${k}` },
                svg("title", {}, `rank ${rank}, ${PARTS[k][1]}: ${secondsWords(seconds)}`),
            );
            x += width;
            return made;
        });
        const bar = svg(
            "g",
            { class: `bar ${rank === chosen ? "chosen" : ""}` },
            text(62, y + 14, `rank ${rank}`, { class: "tick end" }),
            ...pieces,
            text(x + 6, y + 14, secondsWords(parts.reduce((sum, s) => sum + s, 0)), { class: "small" }),
        );
        bar.addEventListener("click", () => choose(rank));
        return bar;
    });
    const key = PARTS.map(([, word], k) =>
        svg(
            "g",
            {},
            svg("rect", { x: 70 + k * 100, y: 6, width: 16, height: 16, class: `time${k}` }),
            text(92 + k * 100, 19, word, { class: "small" }),
        ),
    );
    return picture(
        "measured-picture",
        WIDE,
        44 + each.length * 24,
        `Mean time of a call of ${name}, by rank`,
        ...key,
        ...bars,
    );
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
