// Bars of times, one a rank, divided into parts.

import { picture, svg, text } from "./svg.js";

const WIDE = 640;
const LEFT = 70;

// Seconds as people read them.
export function secondsWords(seconds) {
    if (seconds === undefined || seconds === null) return "–";
    const [factor, unit] = seconds < 1e-3 ? [1e6, "µs"] : seconds < 1 ? [1e3, "ms"] : [1, "s"];
    return `${(seconds * factor).toPrecision(3)} ${unit}`;
}

function barOf(names, { rank, parts }, most, y) {
    let x = LEFT;
    const pieces = parts.map((seconds, k) => {
        const width = (seconds / most) * (WIDE - LEFT - 100);
        const words = svg("title", {}, `rank ${rank}, ${names[k]}: ${secondsWords(seconds)}`);
        const made = svg("rect", { x, y, width, height: 18, class: `time-${names[k]}` }, words);
        x += width;
        return made;
    });
    const all = secondsWords(parts.reduce((sum, s) => sum + s, 0));
    return [text(62, y + 14, `rank ${rank}`, { class: "tick end" }), ...pieces, text(x + 6, y + 14, all, { class: "small" })];
}

function keyOf(names) {
    return names.map((name, k) =>
        svg(
            "g",
            {},
            svg("rect", { x: LEFT + k * 90, y: 6, width: 16, height: 16, class: `time-${name}` }),
            text(LEFT + 22 + k * 90, 19, name, { class: "small" }),
        ),
    );
}

// names: of the parts; rows: { rank, parts: seconds of each }; chosen: a rank; choose(rank).
export function barsPicture(id, label, names, rows, { chosen, choose }) {
    const most = Math.max(1e-12, ...rows.map(({ parts }) => parts.reduce((sum, s) => sum + s, 0)));
    const bars = rows.map((row, i) => {
        const bar = svg("g", { class: `bar ${row.rank === chosen ? "chosen" : ""}` }, ...barOf(names, row, most, 34 + i * 24));
        bar.addEventListener("click", () => choose(row.rank));
        return bar;
    });
    return picture(id, WIDE, 44 + rows.length * 24, label, ...keyOf(names), ...bars);
}
