// Who waited for whom, as a run counted it (HX_STATS=FILE).

import { barsPicture, secondsWords } from "./bars.js";
import { table } from "./svg.js";
import { bytesWords, count, grouped, percent } from "./words.js";

const PARTS = ["pack", "copy", "late", "transfer", "unpack"];
const MOST_RANKS = 64; // that have a bar

// Seconds of a part, of all times together.  Where nobody knows who was late, all waiting counts as transfer.
function secondsOf(told, part) {
    if (part === "transfer" && told.transfer_seconds === null) return told.wait_seconds;
    return told[`${part}_seconds`] || 0;
}

const toldOf = (exchange, rank) => exchange.ranks.find((told) => told.rank === rank && told.times > 0);

// One bar a rank: where the time of an exchange went, on average; null: there is nothing to show.
export function statisticsPicture(statistics, name, chosen, choose) {
    const exchange = statistics.exchanges.find((told) => told.name === name);
    const rows = (exchange ? exchange.ranks : [])
        .filter((told) => told.times > 0)
        .slice(0, MOST_RANKS)
        .map((told) => ({ rank: told.rank, parts: PARTS.map((part) => secondsOf(told, part) / told.times) }));
    if (rows.length === 0) return null;
    return barsPicture("statistics-picture", `Mean time of ${name}, by rank`, PARTS, rows, { chosen, choose });
}

function exchangeRow(exchange, rank) {
    const told = toldOf(exchange, rank);
    if (!told) return [exchange.name, ...Array(9).fill("–")];
    const late = told.late_seconds === null ? ["?", "?"] : ["late", "transfer"].map((part) => secondsWords(secondsOf(told, part) / told.times));
    return [
        exchange.name,
        grouped(told.times),
        String(told.messages),
        bytesWords(told.bytes_sent),
        told.times > 1 ? secondsWords(told.every_seconds / (told.times - 1)) : "–",
        secondsWords(told.pack_seconds / told.times),
        secondsWords(told.copy_seconds / told.times),
        ...late,
        secondsWords(told.unpack_seconds / told.times),
    ];
}

export function statisticsWords({ balance, copying, silent }) {
    if (balance.slowest < 0) return "No exchange was finished.";
    const share = (number) => percent(number / 100);
    const sentences = [
        `Ranks wait for ${share(balance.late_percent + balance.transfer_percent)} of the run: ${share(balance.late_percent)} for ranks that are late, ${share(balance.transfer_percent)} for transfer.`,
        `Imbalance: ${share(balance.imbalance_percent)} of the run. Rank ${balance.slowest} works for ${secondsWords(balance.most_work_seconds)}, a rank on average for ${secondsWords(balance.mean_work_seconds)}.`,
        `With perfect balance the run would be ${secondsWords(balance.saved_seconds)} shorter.`,
    ];
    if (copying.percent > 0) sentences.push(`Loops moved ${(copying.bytes_per_second * 1e-9).toPrecision(3)} GB/s, ${share(copying.percent)} of what memcpy reaches there.`);
    if (silent > 0) sentences.push(`${count(silent, "rank")} told nothing.`);
    return sentences.join(" ");
}

export function statisticsTables(statistics, rank, choose) {
    const heads = ["exchange", "times", "messages", "bytes", "every", "pack", "copy", "late", "transfer", "unpack"];
    const rows = statistics.exchanges.map((exchange) => exchangeRow(exchange, rank));
    const awaited = statistics.awaited.map((told) => [
        `rank ${told.rank}`,
        secondsWords(told.seconds),
        percent(told.slower_percent / 100),
    ]);
    return [
        table(`One exchange of rank ${rank}, on average`, heads, rows),
        table("Who others wait for", ["rank", "they wait", "works longer by"], awaited, -1, (row) =>
            choose(statistics.awaited[row].rank),
        ),
    ];
}
