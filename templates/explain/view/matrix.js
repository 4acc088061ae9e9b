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

export function matrixPicture(answer, state, pairs, choose) {
    const ranks = answer.layout.ranks;
    if (ranks > MOST) return null;
    const size = Math.max(9, Math.min(34, Math.floor(460 / ranks)));
    const most = Math.max(1, ...pairs.map((p) => p.bytes));
    const side = ranks * size;
    const squares = pairs.map((p) => {
        const inset = (size / 2) * 0.72 * (1 - Math.sqrt(p.bytes / most));
        const made = svg(
            "g",
            { class: `pair ${p.path}` },
            svg("title", {}, `Rank ${p.from} to rank ${p.to}: ${bytesWords(p.bytes)}, ${PATHS[p.path]}`),
            svg("rect", {
                x: 50 + p.to * size + 0.5 + inset,
                y: 40 + p.from * size + 0.5 + inset,
                width: size - 1 - 2 * inset,
                height: size - 1 - 2 * inset,
            }),
        );
        made.addEventListener("click", () => choose(p.to));
        return made;
    });
    const every = size < 14 ? 4 : 1;
    const names = [...Array(ranks).keys()]
        .filter((r) => r % every === 0)
        .flatMap((r) => [
            text(44, 40 + r * size + size / 2 + 4, String(r), {
                class: `tick end ${r === state.rank ? "chosen" : ""}`,
            }),
            text(50 + r * size + size / 2, 34, String(r), { class: `tick ${r === state.rank ? "chosen" : ""}` }),
        ]);
    return picture(
        "matrix-picture",
        side + 70,
        side + 56,
        "Bytes from rank (row) to rank (column)",
        svg("rect", { x: 50, y: 40, width: side, height: side, class: "sheet" }),
        svg("rect", { x: 50 + state.rank * size, y: 40, width: size, height: side, class: "stripe" }),
        svg("rect", { x: 50, y: 40 + state.rank * size, width: side, height: size, class: "stripe" }),
        ...squares,
        ...names,
        text(58, 16, "to rank →", { class: "axis" }),
        text(2, 16, "from ↓", { class: "axis" }),
    );
}
