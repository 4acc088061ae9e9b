// Who sends to whom: a square for each pair of ranks.

import { picture, svg, text } from "./svg.js";
import { PATHS, bytesWords } from "./words.js";

const MOST = 64;

// Bytes by pair of ranks: [{ from, to, bytes, path }].  Of an exchange that sends back, the other way round.
export function traffic(answer, exchange, back) {
    const pairs = new Map();
    for (const s of answer.segments(exchange)) {
        const [from, to] = back ? [s.toRank, s.fromRank] : [s.fromRank, s.toRank];
        const key = `${from},${to}`;
        if (!pairs.has(key)) pairs.set(key, { from, to, bytes: 0, path: answer.path(exchange, from, to) });
        pairs.get(key).bytes += s.bytes;
    }
    return [...pairs.values()].sort((x, y) => x.from - y.from || x.to - y.to);
}

const LEFT = 50;
const TOP = 40;

function square(pair, size, most, choose) {
    const inset = (size / 2) * 0.72 * (1 - Math.sqrt(pair.bytes / most));
    const words = `Rank ${pair.from} to rank ${pair.to}: ${bytesWords(pair.bytes)}, ${PATHS[pair.path]}`;
    const made = svg(
        "g",
        { class: `pair ${pair.path}` },
        svg("title", {}, words),
        svg("rect", {
            x: LEFT + pair.to * size + 0.5 + inset,
            y: TOP + pair.from * size + 0.5 + inset,
            width: size - 1 - 2 * inset,
            height: size - 1 - 2 * inset,
        }),
    );
    made.addEventListener("click", () => choose(pair.to));
    return made;
}

// Of the rows and of the columns.
function numbers(ranks, size, chosen) {
    const every = size < 14 ? 4 : 1;
    return [...Array(ranks).keys()]
        .filter((r) => r % every === 0)
        .flatMap((r) => {
            const is = r === chosen ? "chosen" : "";
            return [
                text(44, TOP + r * size + size / 2 + 4, String(r), { class: `tick end ${is}` }),
                text(LEFT + r * size + size / 2, 34, String(r), { class: `tick ${is}` }),
            ];
        });
}

// null: there are too many ranks.
export function matrixPicture(answer, state, pairs, choose) {
    const { ranks } = answer.layout;
    if (ranks > MOST) return null;
    const size = Math.max(9, Math.min(34, Math.floor(460 / ranks)));
    const most = Math.max(1, ...pairs.map((p) => p.bytes));
    const side = ranks * size;
    const stripe = (place) => svg("rect", { ...place, class: "stripe" });
    return picture(
        "matrix-picture",
        side + 70,
        side + 56,
        "Bytes from rank (row) to rank (column)",
        svg("rect", { x: LEFT, y: TOP, width: side, height: side, class: "sheet" }),
        stripe({ x: LEFT + state.rank * size, y: TOP, width: size, height: side }),
        stripe({ x: LEFT, y: TOP + state.rank * size, width: side, height: size }),
        ...pairs.map((pair) => square(pair, size, most, choose)),
        ...numbers(ranks, size, state.rank),
        text(58, 16, "to rank →", { class: "axis" }),
        text(2, 16, "from ↓", { class: "axis" }),
    );
}
