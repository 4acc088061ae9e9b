// What the machine file predicts: the time of each exchange, and of one of them rank by rank.

import { PARTS, predict } from "../model/predict.js";
import { barsPicture, secondsWords } from "./bars.js";
import { table } from "./svg.js";

const MOST_RANKS = 32; // that have a bar

// As words on a card; a machine that lacks a path is no fault of the page.
export function predictedWords(answer, exchange, rank) {
    const found = predict(answer, exchange, rank);
    return found.lacks ? "–" : secondsWords(found.microseconds * 1e-6);
}

// null: there is nothing to show.
export function predictedPicture(answer, exchange, chosen, choose) {
    const rows = [...new Set(answer.layout.owners)]
        .sort((x, y) => x - y)
        .slice(0, MOST_RANKS)
        .map((rank) => ({ rank, found: predict(answer, exchange, rank) }))
        .filter(({ found }) => !found.lacks)
        .map(({ rank, found }) => ({ rank, parts: PARTS.map((part) => found[part] * 1e-6) }));
    if (rows.length === 0) return null;
    const label = `Predicted time of ${answer.spec.exchange[exchange].name}, by rank`;
    return barsPicture("predicted-picture", label, PARTS, rows, { chosen, choose });
}

export function predictedTable(answer, rank) {
    const rows = answer.spec.exchange.map(({ name }, e) => {
        const found = predict(answer, e, rank);
        if (found.lacks) return [name, `the machine file has no line ${found.lacks}`, ...PARTS.map(() => "–")];
        return [name, ...["microseconds", ...PARTS].map((part) => secondsWords(found[part] * 1e-6))];
    });
    return table(`Predicted times of rank ${rank}`, ["exchange", "in all", ...PARTS], rows);
}
